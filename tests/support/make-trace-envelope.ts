/** A span of a transaction in milliseconds since the trace began: `[id, parent, op, name, start, duration, more]`. */
export type SentSpan = readonly [
  id: string,
  parent: string | null,
  op: string,
  name: string,
  start: number,
  duration: number,
  more?: Record<string, unknown>,
];

/** 16 hex characters that begin with the name's letters as hex. */
export function toSpanId(name: string): string {
  return Buffer.from(name).toString("hex").slice(0, 16).padEnd(16, "0");
}

/** An envelope of one transaction: the first span is its root. `atMs` in milliseconds since 1970. */
export function makeTraceEnvelope(
  traceId: string,
  [root, ...spans]: readonly SentSpan[],
  { atMs, ...more }: { atMs: number } & Record<string, unknown>,
): string {
  const toSpan = ([id, parent, op, description, start, duration, rest = {}]: SentSpan) => ({
    trace_id: traceId,
    span_id: toSpanId(id),
    parent_span_id: parent === null ? undefined : toSpanId(parent),
    op,
    description,
    start_timestamp: (atMs + start) / 1000,
    timestamp: (atMs + start + duration) / 1000,
    ...rest,
  });
  const { description, start_timestamp, timestamp, ...trace } = toSpan(root as SentSpan);
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const transaction = {
    event_id: eventId,
    type: "transaction",
    platform: "node",
    transaction: description,
    start_timestamp,
    timestamp,
    contexts: { trace },
    spans: spans.map(toSpan),
    ...more,
  };
  return `${[{ event_id: eventId }, { type: "transaction" }, transaction].map((part) => JSON.stringify(part)).join("\n")}\n`;
}

/** An envelope of log lines: `[milliseconds since atMs, level, body, span]`. */
export function makeLogEnvelope(
  traceId: string,
  lines: ReadonlyArray<readonly [at: number, level: string, body: string, span: string]>,
  atMs: number,
): string {
  const items = lines.map(([at, level, body, span]) => ({
    trace_id: traceId,
    span_id: toSpanId(span),
    timestamp: (atMs + at) / 1000,
    level,
    body,
    attributes: {},
  }));
  const header = { type: "log", item_count: items.length, content_type: "application/vnd.sentry.items.log+json" };
  return `${[{}, header, { items }].map((part) => JSON.stringify(part)).join("\n")}\n`;
}
