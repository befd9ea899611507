import { isRecord } from "../../domain/is-record.ts";
import { readOtlpRequest } from "../../protocol/otlp/read-request.ts";
import { toMicroseconds } from "../../protocol/otlp/to-microseconds.ts";
import type { Digested } from "../digested.ts";
import { type Json, toShortText, toSummary } from "../item-summary.ts";
import { type ArrivedItem, itemQuantity, malformed, type ReadContext } from "../signal.ts";
import { Losses } from "../span/span-rows.ts";
import { storeJson } from "../stored-item.ts";
import { toOrigin } from "./resource.ts";

const encoder = new TextEncoder();

/** Metrics are kept as OTLP/JSON, and counted by their data points. */
export function readOtlpMetrics(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested> {
  const request = readOtlpRequest(item.payload, "metrics", String(item.header.content_type ?? ""));
  if (!request.ok) return malformed(item, request.reason, itemQuantity(item.signal, item.header, item.payload.length));
  const { groups, count, refused } = request;
  const outcomes = new Losses(refused).outcomes(item);
  const quantity = outcomes.reduce((left, lost) => left - lost.quantity, count);
  const [first] = groups;
  if (first === undefined || quantity === 0)
    return outcomes.length > 0 ? { items: [], outcomes, setAside: [] } : malformed(item, "empty_container");
  const { release, environment } = toOrigin(first);
  const value = {
    // Each resource is written once, as it came. Repeated for each of its scopes, a megabyte could become gigabytes.
    resourceMetrics: [...Map.groupBy(groups, ({ resource }) => resource)].map(([resource, ofResource]) => ({
      resource: isRecord(resource) ? resource : {},
      scopeMetrics: ofResource.map(({ scope, items }) => ({ scope, metrics: items })),
    })),
  };
  const read = storeJson({
    summarize: () =>
      toSummary({
        quantity,
        release,
        environment,
        name: toShortText(first.items[0]?.name),
        occurredAt: timeOf(first.items[0] ?? {}),
      }),
    effects: () => ({ outcomes }),
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
