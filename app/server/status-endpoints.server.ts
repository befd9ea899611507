import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BuildVersion } from "../domain/build-version.ts";
import type { RebuildProgress } from "../domain/rebuild-progress.ts";
import type { Log } from "../log.server.ts";

/** A part answers within this time or counts as failing; probes give up after a few seconds themselves. */
const CHECK_TIMEOUT_MS = 2_000;

export interface StatusEndpoints {
  /** Checks that must pass before the server is ready, by name; a check throws when it fails. */
  checks(): Record<string, () => Promise<void> | void>;
  /** The version that `/healthz` shows. */
  build: BuildVersion;
  /** Whether parts are still being opened. They count as failing, but the log does not mention it. */
  isStarting(): boolean;
  /** Whether the server was told to stop: it is not ready, and parts that are closed are no news. */
  isStopping(): boolean;
  /** Whether messages about issues arrive; null: not known. The server is healthy meanwhile: a restart would change nothing. */
  delivers(): Promise<boolean | null>;
  /** Null: no lost event store is being rebuilt. The server is ready meanwhile. */
  rebuild(): RebuildProgress | null;
  renderMetrics(): Promise<{ contentType: string; text: string }>;
  /** Tokens for `/metrics`. Any of them is enough. */
  metricsTokens: readonly string[];
  log: Log;
}

/**
 * Answers `/healthz` (the process is up), `/readyz` (journal and stores answer) and `/metrics`.
 *
 * @returns false when the request is for something else.
 */
export function createStatusEndpoints(
  options: StatusEndpoints,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const tokenHashes = options.metricsTokens.map(hashToken);
  const findFailing = createCheck(options);
  const endpoints: Record<string, (req: IncomingMessage, res: ServerResponse) => Promise<void> | void> = {
    "/healthz": async (_, res) => {
      const delivers = await withTimeout(options.delivers(), CHECK_TIMEOUT_MS).catch(() => null);
      const delivery = delivers === null ? {} : { delivery: delivers ? "ok" : "failing" };
      sendJson(res, 200, { status: "ok", ...options.build, ...delivery });
    },
    "/readyz": async (_, res) => {
      // Must come before the checks: the start may end during them.
      const status = options.isStarting() ? "starting" : "unavailable";
      if (options.isStopping()) return sendJson(res, 503, { status: "stopping", failing: [] });
      const failing = await findFailing();
      const isReady = failing.length === 0;
      const progress = options.rebuild();
      const rebuild = progress && { rebuild: { ...progress, share: Math.round(progress.share * 1_000) / 1_000 } };
      sendJson(res, isReady ? 200 : 503, { ...(isReady ? { status: "ready" } : { status, failing }), ...rebuild });
    },
    "/metrics": async (req, res) => {
      if (!mayReadMetrics(req, tokenHashes)) {
        const detail = "Metrics are for requests from this machine, or with a bearer token (METRICS_TOKEN).";
        return sendJson(res, 401, { detail }, { "www-authenticate": "Bearer" });
      }
      const { contentType, text } = await options.renderMetrics();
      res.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
    },
  };

  return (req, res) => {
    const path = (req.url ?? "").split("?", 1)[0] ?? "";
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (!endpoint) return false;
    if (req.method !== "GET" && req.method !== "HEAD") {
      sendJson(res, 405, { detail: "Only GET." }, { allow: "GET, HEAD" });
      return true;
    }
    Promise.resolve(endpoint(req, res)).catch((error: unknown) => {
      options.log.error({ err: error, path }, "a status endpoint failed");
      if (!res.headersSent) sendJson(res, 500, { detail: "The server failed to answer. The log says why." });
    });
    return true;
  };
}

/** Logs when a part begins to fail, fails for another reason, or answers again: probes come every few seconds. */
function createCheck({ checks, isStarting, isStopping, log }: StatusEndpoints): () => Promise<string[]> {
  const known = new Map<string, string>();

  function note(name: string, reason: string | null): void {
    if (reason === (known.get(name) ?? null)) return;
    if (reason === null) {
      known.delete(name);
      log.info({ check: name }, "ready again");
    } else {
      known.set(name, reason);
      // The reason is for the log: the answer is open to everyone.
      log.warn({ check: name, reason }, "not ready");
    }
  }

  return async () => {
    const isExpected = isStarting();
    const results = await Promise.all(
      Object.entries(checks()).map(async ([name, check]) => {
        const reason = await withTimeout(Promise.resolve().then(check), CHECK_TIMEOUT_MS).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (!isExpected && !isStopping()) note(name, reason);
        return reason === null ? null : name;
      }),
    );
    return results.filter((name) => name !== null);
  };
}

function withTimeout<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Headers that proxies add to requests. */
const PROXY_HEADERS = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-real-ip",
  "forwarded",
  "via",
];
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Allowed with a token, or from this machine. Requests through a proxy on this machine come from here, too, but they name the sender or the
 * host that was asked for. A web page cannot ask either, by a host name of its own that leads here.
 */
function mayReadMetrics(req: IncomingMessage, tokenHashes: readonly Buffer[]): boolean {
  const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (token !== undefined) {
    const hash = hashToken(token);
    return tokenHashes.some((known) => timingSafeEqual(known, hash));
  }
  const isPassedOn = PROXY_HEADERS.some((name) => name in req.headers);
  return !isPassedOn && isLoopback(req.socket.remoteAddress) && LOCAL_HOST.test(req.headers.host ?? "");
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

/** Hashed first, because the comparison in constant time wants equal lengths. */
function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function sendJson(res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const text = `${JSON.stringify(body)}\n`;
  res.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    ...headers,
  });
  res.end(res.req.method === "HEAD" ? undefined : text);
}
