import { readQueryParameter } from "../protocol/query-string.ts";
import { acceptSecurityReports, isReportMediaType } from "./accept-security.ts";
import { admit, admitAgain, targetOf } from "./admit-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { Refusal } from "./refusal.ts";
import { MAX_STORE_BYTES } from "./store-body.ts";

/**
 * Characters. Far longer than a valid release or environment, so a longer text is invalid and may be cut: it is copied into the header of
 * each item.
 */
const MAX_ORIGIN_CHARS = 1000;

export function receiveSecurity(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const { acceptor, bodies, metrics, randomId } = parts;
  const source = admit(parts, exchange, route);
  if (source === null) return;
  const target = targetOf(source.key.projectId, route);
  if (!isReportMediaType(exchange.req.headers["content-type"])) {
    const detail = "this content type is not one of a security report";
    exchange.refuseUnread(new Refusal("unsupported_media_type", detail), target);
    return;
  }
  const origin = {
    release: readQueryParameter(route.query, "sentry_release")?.slice(0, MAX_ORIGIN_CHARS) ?? null,
    environment: readQueryParameter(route.query, "sentry_environment")?.slice(0, MAX_ORIGIN_CHARS) ?? null,
  };
  const process = admitAgain(parts, exchange, route, source, (body, current) =>
    acceptSecurityReports(body, origin, current, { acceptor, metrics, randomId }),
  );
  bodies.receive(exchange, MAX_STORE_BYTES, target, process);
}
