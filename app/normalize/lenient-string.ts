/**
 * Text from a string, number or boolean; null for anything else. Booleans read `True` and `False`, as the Python server
 * wrote them first, so that tags of old and new SDKs agree.
 */
export function toLenientString(value: unknown): string | null {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? String(value) : null;
    case "bigint":
      return String(value);
    case "boolean":
      return value ? "True" : "False";
    default:
      return null;
  }
}
