import type { Random } from "./random.ts";

// Spans as SDKs send them: six services, traces of 3 to 60 spans, 14 to 18 attributes each.

const SERVICES = ["web", "api", "cart", "payment", "search", "mail"];
const ROUTES = ["/", "/cart", "/cart/:id", "/checkout", "/products/:id", "/search", "/account", "/orders/:id"];
const TABLES = ["carts", "products", "orders", "users", "prices", "stock"];
const WORDS = ["red", "blue", "oak", "steel", "small", "large", "summer", "winter"];

/** `transaction`: an event with its spans, as SDKs send by default; `container`: streamed spans. */
export type SpanForm = "transaction" | "container";

/** An envelope, and how many spans it holds. */
export interface SpanEnvelope {
  body: Uint8Array<ArrayBuffer>;
  spans: number;
  traceId: string;
}

/**
 * @param at when the trace began, in seconds since 1970
 * @param spanCount of the trace; 3 to 60 if not given
 */
export function makeSpanEnvelope(random: Random, form: SpanForm, at: number, spanCount?: number): SpanEnvelope {
  const traceId = random.hex(32);
  const service = random.pick(SERVICES);
  const route = random.pick(ROUTES);
  const name = `GET ${route}`;
  const count = spanCount ?? 3 + random.whole(58);
  const ids = Array.from({ length: count }, () => random.hex(16));
  const spans = ids.map((spanId, index) => {
    const start = at + index * 0.003 * random.next();
    return {
      spanId,
      parentId: index === 0 ? undefined : ids[random.whole(index)],
      start,
      end: start + 0.001 + random.next() ** 4 * 0.3,
      ...(index === 0 ? toServerSpan(random, name, route) : toClientSpan(random)),
    };
  });
  const [root, ...children] = spans as [(typeof spans)[number], ...typeof spans];
  const common = { "server.address": `${service}-${random.whole(4)}`, "user.id": String(random.whole(5_000)) };
  const sdk = { name: "sentry.javascript.node", version: "10.75.2" };
  const trace = {
    trace_id: traceId,
    release: `${service}@1.4.${random.whole(3)}`,
    environment: "production",
    sample_rate: "0.25",
  };
  if (form === "transaction") {
    const event = {
      event_id: random.hex(32),
      type: "transaction",
      transaction: name,
      platform: "node",
      release: trace.release,
      environment: trace.environment,
      start_timestamp: root.start,
      timestamp: root.end,
      server_name: common["server.address"],
      user: { id: common["user.id"] },
      tags: { plan: random.pick(["free", "pro"]) },
      sdk,
      contexts: {
        trace: {
          trace_id: traceId,
          span_id: root.spanId,
          op: root.op,
          status: "ok",
          origin: root.origin,
          data: root.data,
        },
        runtime: { name: "node", version: "v24.21.0" },
        os: { name: "Debian", version: "12.11" },
        device: { arch: "x64", memory_size: 25_276_514_304, free_memory: random.whole(25_276_514_304) },
      },
      spans: children.map(({ spanId, parentId, start, end, name: description, op, origin, data }) => ({
        trace_id: traceId,
        span_id: spanId,
        parent_span_id: parentId,
        start_timestamp: start,
        timestamp: end,
        description,
        op,
        origin,
        status: "ok",
        data: { "sentry.op": op, "sentry.origin": origin, ...data },
      })),
    };
    return {
      body: toBody({ event_id: event.event_id, sdk, trace }, { type: "transaction" }, event),
      spans: count,
      traceId,
    };
  }
  const items = spans.map(({ spanId, parentId, start, end, name: spanName, op, origin, data }) => ({
    trace_id: traceId,
    span_id: spanId,
    ...(parentId ? { parent_span_id: parentId } : {}),
    start_timestamp: start,
    end_timestamp: end,
    name: spanName,
    status: "ok",
    is_segment: spanId === root.spanId,
    attributes: toTyped({
      "sentry.op": op,
      "sentry.origin": origin,
      "sentry.segment.name": name,
      "sentry.segment.id": root.spanId,
      "sentry.release": trace.release,
      "sentry.environment": trace.environment,
      "sentry.sdk.name": sdk.name,
      "sentry.sdk.version": sdk.version,
      ...common,
      ...data,
    }),
  }));
  const header = {
    type: "span",
    item_count: count,
    content_type: "application/vnd.sentry.items.span.v2+json",
  };
  return { body: toBody({ sdk, trace }, header, { version: 2, items }), spans: count, traceId };
}

function toServerSpan(random: Random, name: string, route: string) {
  const path = route.replace(":id", String(random.whole(100_000)));
  return {
    name,
    op: "http.server",
    origin: "auto.http.otel.http",
    data: {
      "http.request.method": "GET",
      "http.route": route,
      "http.response.status_code": random.whole(50) === 0 ? 500 : 200,
      "url.full": `https://shop.example${path}?q=${random.pick(WORDS)}`,
      "url.path": path,
      "network.protocol.version": "1.1",
      "user_agent.original": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      "client.address": `192.0.2.${random.whole(255)}`,
    },
  };
}

function toClientSpan(random: Random) {
  const table = random.pick(TABLES);
  if (random.whole(3) === 0) {
    const path = `/v1/${table}/${random.whole(100_000)}`;
    return {
      name: `GET https://${table}.internal${path}`,
      op: "http.client",
      origin: "auto.http.otel.node_fetch",
      data: {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "url.full": `https://${table}.internal${path}`,
        "url.path": path,
        "server.port": 443,
        "network.peer.address": `10.0.0.${random.whole(20)}`,
        "http.response.body.size": random.whole(20_000),
        "otel.kind": "CLIENT",
      },
    };
  }
  return {
    name: `SELECT * FROM ${table} WHERE id = $1 AND kind = $2`,
    op: "db",
    origin: "auto.db.otel.postgres",
    data: {
      "db.system.name": "postgresql",
      "db.operation.name": "SELECT",
      "db.collection.name": table,
      "db.query.text": `SELECT * FROM ${table} WHERE id = $1 AND kind = $2`,
      "db.namespace": "shop",
      "network.peer.address": `10.0.1.${random.whole(4)}`,
      "network.peer.port": 5432,
      "otel.kind": "CLIENT",
    },
  };
}

function toTyped(attributes: object) {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      { type: typeof value === "string" ? "string" : Number.isInteger(value) ? "integer" : "double", value },
    ]),
  );
}

function toBody(...lines: object[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
