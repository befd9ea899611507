import type { MetricField } from "../../domain/metrics/read-metric-settings.ts";

/** The result of a form about metric monitors. `field`: `list` means no field of a form. */
export type MetricResult = { ok: true; message: string; monitorId: number } | MetricRefusal;

export interface MetricRefusal {
  ok: false;
  status: 400 | 404 | 409 | 503;
  field: MetricField | "project" | "list";
  message: string;
}

export const METRIC_GONE: MetricRefusal = {
  ok: false,
  status: 404,
  field: "list",
  message: "There is no such metric monitor.",
};
