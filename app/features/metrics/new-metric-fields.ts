import { METRIC_TEMPLATES } from "../../domain/metrics/metric-templates.ts";
import { toMetricFields } from "../../domain/metrics/read-metric-settings.ts";

/** The fields of a new monitor. */
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

/** The fields of a new monitor, from a template and the other parameters of the address: `?template=silence&project=shop&critical=20`. */
export function readNewMetricFields(params: URLSearchParams): Record<string, string> {
  const template = METRIC_TEMPLATES.find(({ id }) => id === params.get("template"));
  const fields = { ...FIELDS, ...(template && toMetricFields(template.typed)) };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, (params.get(name) ?? value).slice(0, 500)]),
  );
}
