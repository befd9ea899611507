import type { Random } from "./random.ts";

// One trace of many spans, as a long job leaves it: a root, requests of a few services one after the other, and calls below them.

const SERVICES = ["importer", "api", "prices", "stock", "search", "mail"];
const TABLES = ["carts", "products", "orders", "users", "prices", "stock"];
/** What a container may hold. */
const SPANS_PER_CONTAINER = 1_000;
/** Between the starts of two requests: with the calls below, each time of the trace has a handful of spans. */
const REQUEST_SECONDS = 0.02;
const REQUEST_SPANS = 25;

interface Span {
  id: string;
  parent: string | null;
  service: string;
  op: string;
  name: string;
  start: number;
  end: number;
  status: "ok" | "error";
}

/**
 * Envelopes of a thousand streamed spans of one trace.
 *
 * @param at when the trace began, in seconds since 1970
 */
export function* makeLargeTrace(
  random: Random,
  { traceId, count, at }: { traceId: string; count: number; at: number },
): Generator<Uint8Array<ArrayBuffer>> {
  let spans: Span[] = [];
  for (const span of makeSpans(random, count, at)) {
    spans.push(span);
    if (spans.length < SPANS_PER_CONTAINER) continue;
    yield toEnvelope(traceId, spans);
    spans = [];
  }
  if (spans.length > 0) yield toEnvelope(traceId, spans);
}

function* makeSpans(random: Random, count: number, at: number): Generator<Span> {
  const requests = Math.ceil(count / REQUEST_SPANS);
  const root = random.hex(16);
  const rest = { parent: null, service: "importer", status: "ok" } as const;
  const end = at + (requests + 1) * REQUEST_SECONDS;
  yield { ...rest, id: root, op: "queue.task", name: "import.catalogue", start: at, end };
  let made = 1;
  for (let request = 0; made < count; request++) {
    const start = at + request * REQUEST_SECONDS;
    for (const span of makeRequest(random, root, start)) {
      if (made++ === count) return;
      yield span;
    }
  }
}

/** A call of another service, and what that did: five steps with queries each. */
function* makeRequest(random: Random, parent: string, start: number): Generator<Span> {
  const service = random.pick(SERVICES.slice(1));
  const path = `/v1/products/${random.whole(100_000)}`;
  const end = start + REQUEST_SECONDS * 0.9;
  const status = random.whole(50) === 0 ? "error" : "ok";
  const call = random.hex(16);
  yield { id: call, parent, service: "importer", op: "http.client", name: `PUT ${path}`, start, end, status };
  const server = random.hex(16);
  const served = { start: start + 0.0005, end: end - 0.0005 };
  yield { id: server, parent: call, service, op: "http.server", name: "PUT /v1/products/:id", ...served, status };
  const stepSeconds = (served.end - served.start) / 5;
  for (let step = 0; step < 5; step++) {
    const from = served.start + step * stepSeconds;
    const id = random.hex(16);
    const name = `step.${["read", "check", "price", "write", "notify"][step]}`;
    yield {
      id,
      parent: server,
      service,
      op: "function",
      name,
      start: from,
      end: from + stepSeconds * 0.95,
      status: "ok",
    };
    for (let query = 0; query < 4; query++) {
      const began = from + query * stepSeconds * 0.2;
      const table = random.pick(TABLES);
      yield {
        id: random.hex(16),
        parent: id,
        service,
        op: "db",
        name: `SELECT * FROM ${table} WHERE id = $1 AND kind = $2`,
        start: began,
        end: began + stepSeconds * 0.15 * random.next(),
        status: "ok",
      };
    }
  }
}

function toEnvelope(traceId: string, spans: readonly Span[]): Uint8Array<ArrayBuffer> {
  const items = spans.map(({ id, parent, service, op, name, start, end, status }) => ({
    trace_id: traceId,
    span_id: id,
    ...(parent === null ? {} : { parent_span_id: parent }),
    start_timestamp: start,
    end_timestamp: end,
    name,
    status,
    is_segment: parent === null,
    attributes: {
      "sentry.op": { type: "string", value: op },
      "service.name": { type: "string", value: service },
      "sentry.release": { type: "string", value: `${service}@1.4.1` },
      "sentry.environment": { type: "string", value: "production" },
    },
  }));
  const header = {
    type: "span",
    item_count: items.length,
    content_type: "application/vnd.sentry.items.span.v2+json",
  };
  const lines = [{}, header, { version: 2, items }];
  return new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
