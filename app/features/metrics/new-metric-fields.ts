/** Of a monitor that is not there yet. */
const FIELDS: Record<string, string> = {
  name: "",
  project: "",
  measure: "errors:count()",
  query: "",
  environment: "",
  windowMinutes: "10",
  comparison: "none",
  direction: "above",
  critical: "100",
  warning: "",
  recovery: "",
};

/** The fields of a new monitor, as far as the address names some: `?project=shop&measure=errors:count()&critical=20`. */
export function readNewMetricFields(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FIELDS).map(([name, value]) => [name, (params.get(name) ?? value).slice(0, 500)]),
  );
}
