import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { admit, admitAgain, targetOf } from "./admit-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { MAX_MINIDUMP_BODY_BYTES, readMinidumpBody, toMinidumpAnswer } from "./minidump-body.ts";
import { Refusal } from "./refusal.ts";

export function receiveMinidump(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const { acceptor, bodies, decodeBody, randomId } = parts;
  const source = admit(parts, exchange, route);
  if (source === null) return;
  const target = targetOf(source.key.projectId, route);
  const contentType = exchange.req.headers["content-type"] ?? "";
  const process = admitAgain(parts, exchange, route, source, async (body, current) => {
    const read = await readMinidumpBody(body, { contentType, randomId, decodeBody, lease: exchange.lease });
    if (read instanceof Refusal) return acceptor.refuse(read, target);
    return toMinidumpAnswer(await acceptor.accept(read.envelope, parseEnvelope(read.envelope), current));
  });
  bodies.receive(exchange, MAX_MINIDUMP_BODY_BYTES, target, process);
}
