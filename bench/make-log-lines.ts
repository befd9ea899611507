import type { Random } from "./random.ts";

// Log containers as SDKs send them: lines of one service with four attributes each.

const SERVICES = ["web", "api", "cart", "payment", "search", "mail"];
const WORDS = ["cart", "order", "timeout", "refused", "loaded", "retry", "pool", "connection", "statement", "user"];
const LEVELS = ["debug", "debug", "info", "info", "info", "info", "info", "warn", "warn", "error"];

/**
 * An envelope of so many lines of a trace.
 *
 * @param at when the first was written, in seconds since 1970
 */
export function makeLogEnvelope(
  random: Random,
  { count, at, traceId = random.hex(32) }: { count: number; at: number; traceId?: string },
): Uint8Array<ArrayBuffer> {
  const service = random.pick(SERVICES);
  const text = (value: string) => ({ type: "string", value });
  const items = Array.from({ length: count }, (_, index) => ({
    trace_id: traceId,
    timestamp: at + index * 0.01,
    level: random.pick(LEVELS),
    body: `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.whole(100_000)} after ${random.whole(5_000)} ms`,
    attributes: {
      plan: text(random.pick(["free", "pro"])),
      "http.route": text(`/${random.pick(WORDS)}/:id`),
      "db.timeout_ms": { type: "integer", value: random.whole(5_000) },
      "service.name": text(service),
      "sentry.release": text(`${service}@1.4.${random.whole(3)}`),
      "sentry.environment": text("production"),
      "server.address": text(`${service}-${random.whole(4)}`),
    },
  }));
  const header = { type: "log", item_count: count, content_type: "application/vnd.sentry.items.log+json" };
  return new TextEncoder().encode([{}, header, { items }].map((line) => `${JSON.stringify(line)}\n`).join(""));
}
