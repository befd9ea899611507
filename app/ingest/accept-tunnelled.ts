import type { IncomingMessage } from "node:http";
import { type CredentialsResult, joinEnvelopeDsn } from "../protocol/auth-header.ts";
import { parseBody, toSource } from "./admit-request.ts";
import type { IngestAnswer } from "./answers.ts";
import { authorizeRequest } from "./authorize-request.ts";
import type { IngestParts } from "./ingest-parts.ts";
import { Refusal } from "./refusal.ts";
import { findTunnelTarget, forwardEnvelope, type TunnelOptions } from "./tunnel.ts";

const NO_CREDENTIALS: CredentialsResult = {
  ok: false,
  code: "missing-credentials",
  detail: "missing authorization information",
};

export async function acceptTunnelled(
  parts: IngestParts,
  req: IncomingMessage,
  body: Uint8Array,
  tunnel: TunnelOptions | undefined,
): Promise<IngestAnswer> {
  const { acceptor, keys, trustProxy } = parts;
  const envelope = parseBody(body);
  if (envelope instanceof Refusal) return acceptor.refuse(envelope, null);
  const found = findTunnelTarget(envelope.header.dsn, tunnel?.targets() ?? []);
  if (found instanceof Refusal) return acceptor.refuse(found, null);
  const { dsn, target } = found;
  if (target.host !== null) {
    // A copy: the body is freed with the answer, and a connection that broke may still be sending.
    const forwarded = await forwardEnvelope(req, Buffer.from(body), { ...tunnel, trustProxy });
    return forwarded instanceof Refusal ? acceptor.refuse(forwarded, null) : forwarded;
  }
  const credentials = joinEnvelopeDsn(NO_CREDENTIALS, envelope.header.dsn);
  const authorization = authorizeRequest(credentials, dsn.projectId, req.headers, keys);
  if (!authorization.ok) return acceptor.refuse(authorization.refusal, null);
  return acceptor.accept(body, envelope, toSource(parts, req, authorization.key, authorization.client, true));
}
