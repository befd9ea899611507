import type { IncomingMessage } from "node:http";
import { type Dsn, parseDsn } from "../protocol/dsn.ts";
import type { TunnelForward, TunnelForwardAnswer } from "../protocol/tunnel-forward.ts";
import type { IngestAnswer } from "./answers.ts";
import { Refusal } from "./refusal.ts";

/** A target that an envelope of the tunnel may name by its DSN. */
export interface TunnelTarget {
  publicKey: string;
  projectId: number;
  /** `host` or `host:port` as the DSN has it; null for a project of this server, which is reached under any name. */
  host: string | null;
}

export interface TunnelOptions {
  /** Called for each request: the DSNs to which our own pages report. */
  targets: () => readonly TunnelTarget[];
  /** Sends an envelope to the configured server, for targets that have a host. Rejects when it cannot be reached. */
  forward?: (request: TunnelForward) => Promise<TunnelForwardAnswer>;
}

/**
 * Compares the `dsn` of an envelope header with the allow-list (protocol 1.5), and returns the matching target of ours. Nothing is ever
 * sent to a host just because a request names it.
 */
export function findTunnelTarget(
  headerDsn: unknown,
  targets: readonly TunnelTarget[],
): { dsn: Dsn; target: TunnelTarget } | Refusal {
  if (targets.length === 0) return new Refusal("tunnel_not_configured", "the tunnel has no DSN to serve");
  if (headerDsn === undefined || headerDsn === null) {
    return new Refusal("missing_dsn", "the envelope header has no dsn");
  }
  const dsn = parseDsn(headerDsn);
  if (dsn === null) return new Refusal("missing_dsn", "the dsn of the envelope header is not a DSN");
  const host = dsn.port === null ? dsn.host : `${dsn.host}:${dsn.port}`;
  const target = targets.find(
    (one) =>
      one.publicKey === dsn.publicKey &&
      one.projectId === dsn.projectId &&
      (one.host === null || one.host.toLowerCase() === host),
  );
  return target
    ? { dsn, target }
    : new Refusal("tunnel_not_allowed", "the tunnel does not serve the dsn of this envelope");
}

/** Sends an envelope on to the configured server. Unreachable: a refusal with the cause. */
export async function forwardEnvelope(
  req: IncomingMessage,
  body: Uint8Array,
  options: Pick<TunnelOptions, "forward"> & { trustProxy: boolean },
): Promise<IngestAnswer | Refusal> {
  const { forward, trustProxy } = options;
  if (!forward) return new Refusal("tunnel_not_configured", "the tunnel does not forward");
  const earlier = trustProxy ? req.headers["x-forwarded-for"] : undefined;
  const forwardedFor = [earlier, req.socket.remoteAddress].flat().filter(Boolean).join(", ");
  const userAgent = req.headers["user-agent"];
  const headers = {
    "content-type": "application/x-sentry-envelope",
    ...(userAgent ? { "user-agent": userAgent } : {}),
    ...(forwardedFor ? { "x-forwarded-for": forwardedFor } : {}),
  };
  try {
    const answer = await forward({ body, headers });
    return { ...answer, error: null };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return new Refusal("tunnel_unreachable", "the tunnel could not reach its target", { causes: [cause] });
  }
}
