import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { readQueryParameter } from "../protocol/query-string.ts";
import type { EnvelopeSource } from "./accept-envelope.ts";
import { admit, admitAgain, targetOf } from "./admit-request.ts";
import type { IngestAnswer } from "./answers.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { journalRefused } from "./journal-failure.ts";
import { Refusal } from "./refusal.ts";
import { MAX_STORE_BYTES, readStoreBody } from "./store-body.ts";

export function receiveStore(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const source = admit(parts, exchange, route);
  if (source === null) return;
  const process = admitAgain(parts, exchange, route, source, (body, current) =>
    acceptStore(parts, exchange, route, current, body),
  );
  parts.bodies.receive(exchange, MAX_STORE_BYTES, targetOf(source.key.projectId, route), process);
}

export function receivePixel(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const { journal, bodies } = parts;
  const source = admit(parts, exchange, route);
  if (source === null) return;
  const refusal = journal.refusal(0);
  if (refusal !== null) {
    exchange.refuseUnread(journalRefused(refusal), targetOf(source.key.projectId, route));
    return;
  }
  const data = Buffer.from(readQueryParameter(route.query, "sentry_data") ?? "", "utf8");
  acceptStore(parts, exchange, route, source, data).then(exchange.sendPixel, (error) => bodies.fail(exchange, error));
}

async function acceptStore(
  parts: IngestParts,
  exchange: HttpExchange,
  route: IngestRoute,
  source: EnvelopeSource,
  body: Uint8Array,
): Promise<IngestAnswer> {
  const { acceptor, randomId, decodeBody } = parts;
  const stored = await readStoreBody(body, { randomId, decodeBody, lease: exchange.lease });
  if (stored instanceof Refusal) return acceptor.refuse(stored, targetOf(source.key.projectId, route));
  return acceptor.accept(stored.envelope, parseEnvelope(stored.envelope), source);
}
