import { type CredentialsResult, joinEnvelopeDsn } from "../protocol/auth-header.ts";
import type { RefusalTarget } from "./accept-envelope.ts";
import { authorize, credentialsOf, parseBody, targetOf, toSource } from "./admit-request.ts";
import type { IngestAnswer } from "./answers.ts";
import { authorizeRequest } from "./authorize-request.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestParts } from "./ingest-parts.ts";
import type { IngestRoute } from "./ingest-route.ts";
import { Refusal } from "./refusal.ts";

/** An envelope of our own SDK, which was never an HTTP request. */
export interface InProcessEnvelope {
  body: Uint8Array;
  publicKey: string;
  /** Like `sentry.javascript.react-router/10.75.2`. */
  client?: string;
}

export function receiveEnvelope(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const { acceptor, bodies, limits } = parts;
  const { req } = exchange;
  const credentials = credentialsOf(req, route);
  const targetOfEnvelope = (projectId: number | null, result: CredentialsResult): RefusalTarget | null =>
    projectId === null
      ? null
      : { ...targetOf(projectId, route), envelopeClient: result.ok ? result.credentials.client : null };
  let target: RefusalTarget | null = null;
  // If the request itself has no key, the envelope's header may have one: then the body must be read first.
  if (credentials.ok || !mayFollowInEnvelope(credentials.code)) {
    const authorization = authorize(parts, req, route, credentials);
    const projectId = authorization.ok ? authorization.key.projectId : authorization.projectId;
    target = targetOfEnvelope(projectId, credentials);
    if (!authorization.ok) {
      exchange.refuseUnread(authorization.refusal, target);
      return;
    }
  }
  bodies.receive(exchange, limits.maxEnvelopeBytes, target, (body) => {
    const envelope = parseBody(body);
    if (envelope instanceof Refusal) return acceptor.refuse(envelope, target);
    const joined = joinEnvelopeDsn(credentials, envelope.header.dsn);
    const authorization = authorize(parts, req, route, joined);
    if (authorization.ok) {
      return acceptor.accept(body, envelope, toSource(parts, req, authorization.key, authorization.client, true));
    }
    return acceptor.refuse(authorization.refusal, targetOfEnvelope(authorization.projectId, joined));
  });
}

function mayFollowInEnvelope(code: Extract<CredentialsResult, { ok: false }>["code"]): boolean {
  return code === "missing-credentials" || code === "invalid-credentials";
}

export async function acceptInProcess(
  parts: IngestParts,
  { body, publicKey, client = "" }: InProcessEnvelope,
): Promise<IngestAnswer> {
  const { acceptor, keys, now } = parts;
  const credentials: CredentialsResult = {
    ok: true,
    credentials: { publicKey, client: client || null, projectId: null },
  };
  const authorization = authorizeRequest(credentials, null, {}, keys);
  if (!authorization.ok) return acceptor.refuse(authorization.refusal, null);
  const { key } = authorization;
  const envelope = parseBody(body);
  if (envelope instanceof Refusal) {
    const target = { projectId: key.projectId, category: "default", envelopeClient: authorization.client } as const;
    return acceptor.refuse(envelope, target);
  }
  return acceptor.accept(body, envelope, {
    key,
    receivedAt: now(),
    client: authorization.client,
    isEnvelope: true,
    clientAddress: null,
    userAgent: null,
  });
}
