type Json = Record<string, unknown>;

export const OTLP_TRACE = "5b8efff798038103d269b633813fc60c";

export const attributes = (values: Record<string, string | number | boolean>): Json[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === "string"
        ? { stringValue: value }
        : typeof value === "boolean"
          ? { boolValue: value }
          : { intValue: String(value) },
  }));

const RESOURCE = {
  attributes: attributes({
    "service.name": "checkout",
    "service.version": "checkout@2.0.0",
    "deployment.environment.name": "staging",
    "telemetry.sdk.name": "opentelemetry",
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.version": "2.1.0",
    "host.name": "web-1",
  }),
};
const SCOPE = { name: "shop", version: "1.2" };

export const nanoseconds = (atMs: number): string => `${atMs}000000`;

/** A request of a server's span and a query's in it, and whatever else is given. */
export function makeOtlpTraces(atMs: number, more: readonly Json[] = [], own: Json = {}): Json {
  const server = {
    traceId: OTLP_TRACE,
    spanId: "eee19b7ec3c1b174",
    name: "POST /pay",
    kind: 2,
    startTimeUnixNano: nanoseconds(atMs),
    endTimeUnixNano: nanoseconds(atMs + 120),
    attributes: attributes({ "http.request.method": "POST", "http.response.status_code": 500 }),
    status: { code: 2, message: "no stock" },
    ...own,
  };
  const query = {
    traceId: OTLP_TRACE,
    spanId: "eee19b7ec3c1b175",
    parentSpanId: server.spanId,
    name: "SELECT stock",
    kind: 3,
    startTimeUnixNano: nanoseconds(atMs + 10),
    endTimeUnixNano: nanoseconds(atMs + 30),
    attributes: attributes({ "db.system.name": "postgresql" }),
  };
  return {
    resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans: [server, query, ...more] }] }],
  };
}

export function makeOtlpLogs(records: readonly Json[]): Json {
  return { resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: SCOPE, logRecords: records }] }] };
}

export function makeOtlpMetrics(atMs: number): Json {
  const dataPoints = [1, 2, 3].map((asInt) => ({ timeUnixNano: nanoseconds(atMs), asInt: String(asInt) }));
  const metrics = [{ name: "orders", unit: "1", sum: { dataPoints, aggregationTemporality: 2, isMonotonic: true } }];
  return { resourceMetrics: [{ resource: RESOURCE, scopeMetrics: [{ scope: SCOPE, metrics }] }] };
}
