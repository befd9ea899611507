type Flag = [name: string, result: unknown];

/**
 * The feature flags that an SDK noted, with their last results, by name. SDKs send a list of `{flag, result}` as `values` of the
 * context `flags`. Null for any other shape, and for a list that has anything else in it.
 */
export function readFeatureFlags(context: Record<string, unknown> | null | undefined): Flag[] | null {
  const values = context?.values;
  if (!Array.isArray(values)) return null;
  const results = new Map<string, unknown>();
  for (const value of values) {
    if (!isFlag(value)) return null;
    results.set(value.flag, value.result);
  }
  return [...results].sort(([a], [b]) => a.localeCompare(b, "en"));
}

function isFlag(value: unknown): value is { flag: string; result: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "flag" in value &&
    typeof value.flag === "string" &&
    "result" in value
  );
}
