import type { IncomingMessage } from "node:http";
import type { ProjectKey } from "../domain/project.ts";
import { type CredentialsResult, resolveCredentials } from "../protocol/auth-header.ts";
import { MalformedEnvelopeError, type ParsedEnvelope, parseEnvelope } from "../protocol/parse-envelope.ts";
import type { EnvelopeSource, RefusalTarget } from "./accept-envelope.ts";
import { type Authorization, authorizeRequest } from "./authorize-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import type { ProcessBody } from "./receive-body.ts";
import { Refusal } from "./refusal.ts";
import { readRequestFacts } from "./request-facts.ts";

// What every endpoint does before it reads a body: find out who sends, and refuse those who may not.

/** The sender of the request, if it may send. Otherwise null, and the request has been refused. */
export function admit(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): EnvelopeSource | null {
  const authorization = authorize(parts, exchange.req, route, credentialsOf(exchange.req, route));
  if (authorization.ok) return toSource(parts, exchange.req, authorization.key, authorization.client, false);
  exchange.refuseUnread(authorization.refusal, targetOf(authorization.projectId, route));
  return null;
}

/**
 * Asks again whether the sender may send, once its body is there. That may take minutes: meanwhile the key may have been disabled, or its
 * project deleted.
 */
export function admitAgain(
  parts: IngestParts,
  { req }: HttpExchange,
  route: IngestRoute,
  source: EnvelopeSource,
  process: (body: Uint8Array, source: EnvelopeSource) => ReturnType<ProcessBody>,
): ProcessBody {
  const { publicKey, projectId } = source.key;
  const credentials = { publicKey, projectId, client: source.client };
  return (body) => {
    const authorization = authorize(parts, req, route, { ok: true, credentials });
    if (authorization.ok) return process(body, { ...source, key: authorization.key });
    return parts.acceptor.refuse(authorization.refusal, targetOf(authorization.projectId, route));
  };
}

export function authorize(
  parts: IngestParts,
  req: IncomingMessage,
  route: IngestRoute,
  credentials: CredentialsResult,
): Authorization {
  return authorizeRequest(credentials, route.projectId, req.headers, parts.keys);
}

export function toSource(
  parts: IngestParts,
  req: IncomingMessage,
  key: ProjectKey,
  client: string | null,
  isEnvelope: boolean,
): EnvelopeSource {
  const { now, trustProxy } = parts;
  return { key, receivedAt: now(), client, isEnvelope, ...readRequestFacts(req, trustProxy) };
}

export function credentialsOf({ headers }: IncomingMessage, route: IngestRoute): CredentialsResult {
  const xSentryAuth = headers["x-sentry-auth"];
  return resolveCredentials({
    xSentryAuth: Array.isArray(xSentryAuth) ? xSentryAuth[0] : xSentryAuth,
    authorization: headers.authorization,
    query: route.query,
    pathKey: route.pathKey,
  });
}

/** The project and category under which a refusal of the request counts. */
export function targetOf(projectId: number, route: IngestRoute): RefusalTarget;
export function targetOf(projectId: number | null, route: IngestRoute): RefusalTarget | null;
export function targetOf(projectId: number | null, route: IngestRoute): RefusalTarget | null {
  return projectId === null ? null : { projectId, category: route.category };
}

export function refuseMethod(exchange: HttpExchange, allow: string): void {
  exchange.refuseUnread(new Refusal("method_not_allowed", `method not allowed: use ${allow}`), null, ["allow", allow]);
}

/** A refusal if the body is no envelope. */
export function parseBody(body: Uint8Array): ParsedEnvelope | Refusal {
  try {
    return parseEnvelope(body);
  } catch (error) {
    if (!(error instanceof MalformedEnvelopeError)) throw error;
    return new Refusal("malformed_envelope", `invalid event envelope: ${error.message}`);
  }
}
