import type { Json } from "../item-summary.ts";

/** The operation that Sentry's SDKs would give to a span of OpenTelemetry. Null: its attributes do not tell. */
export function toOperation(attributes: Json, kind: string): string | null {
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(attributes, key));
  if (has("http.request.method", "http.method")) {
    if (kind === "server") return "http.server";
    return kind === "client" ? "http.client" : "http";
  }
  if (has("db.system.name", "db.system")) return "db";
  if (has("rpc.system", "rpc.system.name")) return "rpc";
  if (has("messaging.system")) {
    if (kind === "producer") return "queue.publish";
    return kind === "consumer" ? "queue.process" : "queue";
  }
  const call = attributes["gen_ai.operation.name"];
  return typeof call === "string" && call !== "" ? `gen_ai.${call}` : null;
}
