import { isRecord } from "../../domain/is-record.ts";
import { countDataPoints, readOtlpRequest, toMicroseconds } from "../../protocol/otlp/read-request.ts";
import type { Digested } from "../digested.ts";
import { type Json, toShortText, toSummary } from "../item-summary.ts";
import { type ArrivedItem, itemQuantity, malformed, type ReadContext } from "../signal.ts";
import { storeJson } from "../stored-item.ts";
import { Resources } from "./resource.ts";

const encoder = new TextEncoder();

/** Metrics are kept whole, as OTLP/JSON, and counted by their data points. */
export function readOtlpMetrics(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested> {
  const request = readOtlpRequest(item.payload, "metrics", String(item.header.content_type ?? ""));
  if (!request.ok) return malformed(item, request.reason, itemQuantity(item.signal, item.header, item.payload.length));
  const { groups } = request;
  const metrics = groups.flatMap(({ items }) => items);
  const quantity = metrics.reduce((sum, metric) => sum + countDataPoints(metric), 0);
  if (quantity === 0) return malformed(item, "empty_container");
  const origin = groups[0] === undefined ? null : new Resources().originOf(groups[0])();
  const value = {
    // Each resource once, as it came: repeated for each of its scopes, a megabyte would become gigabytes.
    resourceMetrics: [...Map.groupBy(groups, ({ resource }) => resource)].map(([resource, ofResource]) => ({
      resource: { attributes: resource ?? [] },
      scopeMetrics: ofResource.map(({ scope, items }) => ({ scope, metrics: items })),
    })),
  };
  const read = storeJson({
    summarize: () =>
      toSummary({
        quantity,
        release: origin?.release ?? null,
        environment: origin?.environment ?? null,
        name: toShortText(metrics[0]?.name),
        occurredAt: timeOf(metrics[0] ?? {}),
      }),
  });
  return read({ ...item, payload: encoder.encode(JSON.stringify(value)) }, context);
}

/** Milliseconds since 1970 of the first data point. */
function timeOf(metric: Json): number | null {
  for (const key in metric) {
    const points = isRecord(metric[key]) ? metric[key].dataPoints : undefined;
    const first: unknown = Array.isArray(points) ? points[0] : undefined;
    const microseconds = isRecord(first) ? toMicroseconds(first.timeUnixNano) : null;
    if (microseconds !== null) return Math.floor(microseconds / 1000);
  }
  return null;
}
