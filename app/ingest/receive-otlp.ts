import type { OtlpSignal } from "../protocol/otlp/messages.ts";
import { isOtlpMediaType } from "../protocol/otlp/read-request.ts";
import { MAX_OTLP_BYTES } from "../signals/otlp/otlp-limits.ts";
import { acceptOtlp, toOtlpAnswer } from "./accept-otlp.ts";
import { admit, admitAgain, targetOf } from "./admit-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { Refusal } from "./refusal.ts";

export function receiveOtlp(parts: IngestParts, exchange: HttpExchange, route: IngestRoute, signal: OtlpSignal): void {
  const { acceptor, bodies, keys } = parts;
  const source = admit(parts, exchange, route);
  if (source === null) return;
  const target = targetOf(source.key.projectId, route);
  const contentType = exchange.req.headers["content-type"] ?? "";
  if (!isOtlpMediaType(contentType)) {
    const detail = "OTLP is taken as application/x-protobuf or application/json over HTTP, not as gRPC";
    exchange.refuseUnread(new Refusal("unsupported_media_type", detail), target);
    return;
  }
  const otlpExchange: HttpExchange = {
    ...exchange,
    send: (answer) => exchange.send(toOtlpAnswer(answer, contentType)),
  };
  const process = admitAgain(parts, exchange, route, source, (body, current) => {
    const keyOfService = keys.find(current.key.publicKey)?.keyOfService ?? null;
    return acceptOtlp(body, { signal, contentType }, current, { acceptor, target, keyOfService });
  });
  bodies.receive(otlpExchange, MAX_OTLP_BYTES, target, process);
}
