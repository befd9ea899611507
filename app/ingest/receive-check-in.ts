import { acceptCheckIn, type CronPath, MAX_CRON_BODY_BYTES, readCronCheckIn, toCronAnswer } from "./accept-cron.ts";
import type { EnvelopeSource } from "./accept-envelope.ts";
import { admit, admitAgain, refuseMethod, targetOf } from "./admit-request.ts";
import { type HttpExchange, hasBody } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { journalRefused } from "./journal-failure.ts";
import { Refusal } from "./refusal.ts";

export function receiveCheckIn(parts: IngestParts, exchange: HttpExchange, route: IngestRoute, path: CronPath): void {
  const { acceptor, bodies, journal } = parts;
  const { req } = exchange;
  if (req.method !== "GET" && req.method !== "HEAD" && req.method !== "POST") {
    refuseMethod(exchange, "GET, HEAD, POST, OPTIONS");
    return;
  }
  const source = admit(parts, exchange, route);
  if (source === null) return;
  const target = targetOf(source.key.projectId, route);
  const contentType = req.headers["content-type"] ?? "";
  const take = (bytes: Uint8Array | null, sender: EnvelopeSource) => {
    const checkIn = readCronCheckIn(path, route.query, bytes && { bytes, contentType });
    if (checkIn instanceof Refusal) return acceptor.refuse(checkIn, target);
    return acceptCheckIn(checkIn, sender, { acceptor, target });
  };
  if (hasBody(req)) {
    const cronExchange: HttpExchange = { ...exchange, send: (answer) => exchange.send(toCronAnswer(answer)) };
    bodies.receive(cronExchange, MAX_CRON_BODY_BYTES, target, admitAgain(parts, exchange, route, source, take));
    return;
  }
  const refusal = journal.refusal(0);
  if (refusal !== null) exchange.refuseUnread(journalRefused(refusal), target);
  else Promise.resolve(take(null, source)).then(exchange.send, (error) => bodies.fail(exchange, error));
}
