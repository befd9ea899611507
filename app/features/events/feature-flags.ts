type Flag = [name: string, result: unknown];

/**
 * The feature flags that an SDK recorded, with their last results, sorted by name. SDKs send them in the context `flags`, whose
 * `values` are a list of `{flag, result}`. Null if the context has another shape, or the list has other elements.
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
