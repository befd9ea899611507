import { parseEnvelope } from "../protocol/parse-envelope.ts";
import type { EnvelopeSource } from "./accept-envelope.ts";
import { admit, admitAgain, authorize, refuseMethod, targetOf, toSource } from "./admit-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { Refusal } from "./refusal.ts";
import { MAX_REPORT_BYTES, readReportBody } from "./report-body.ts";
import { isFormMediaType, readDialogQuery, readReportForm, toScriptAnswer } from "./report-dialog.ts";

export function receiveReport(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const source = admit(parts, exchange, route);
  if (source !== null) takeReport(parts, exchange, route, source, readReportBody);
}

/**
 * A GET asks for the script of the dialog: nothing is lost if it is refused. A POST has the text that the user wrote.
 * @param script the script of the dialog
 */
export function receiveDialog(
  parts: IngestParts,
  exchange: HttpExchange,
  route: IngestRoute,
  script: Uint8Array,
): void {
  const { req } = exchange;
  const isPost = req.method === "POST";
  if (!isPost && req.method !== "GET" && req.method !== "HEAD") {
    refuseMethod(exchange, "GET, HEAD, POST, OPTIONS");
    return;
  }
  const asked = readDialogQuery(route.query);
  if (asked instanceof Refusal) {
    exchange.refuseUnread(asked, null);
    return;
  }
  const authorization = authorize(parts, req, route, asked.credentials);
  if (!authorization.ok) {
    exchange.refuseUnread(authorization.refusal, isPost ? targetOf(authorization.projectId, route) : null);
    return;
  }
  const { key, client } = authorization;
  const target = targetOf(key.projectId, route);
  const { eventId } = asked;
  if (eventId === null) {
    const refusal = new Refusal("malformed_report", "eventId: must be the id of an event");
    exchange.refuseUnread(refusal, isPost ? target : null);
  } else if (!isPost) {
    exchange.send(toScriptAnswer(script));
  } else if (!isFormMediaType(req.headers["content-type"])) {
    const detail = "the fields are taken as application/x-www-form-urlencoded";
    exchange.refuseUnread(new Refusal("unsupported_media_type", detail), target);
  } else {
    takeReport(parts, exchange, route, toSource(parts, req, key, client, false), (body) =>
      readReportForm(body, eventId),
    );
  }
}

function takeReport(
  parts: IngestParts,
  exchange: HttpExchange,
  route: IngestRoute,
  source: EnvelopeSource,
  read: (body: Uint8Array) => Uint8Array | Refusal,
): void {
  const { acceptor, bodies } = parts;
  const target = targetOf(source.key.projectId, route);
  const process = admitAgain(parts, exchange, route, source, (body, current) => {
    const envelope = read(body);
    if (envelope instanceof Refusal) return acceptor.refuse(envelope, target);
    return acceptor.accept(envelope, parseEnvelope(envelope), current);
  });
  bodies.receive(exchange, MAX_REPORT_BYTES, target, process);
}
