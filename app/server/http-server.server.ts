import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";
import type { Duplex } from "node:stream";

/** Baggage of 8 KiB, a key in the URL and cookies of a shared domain fit beside each other. Node's default is half of it. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Longer than the 60 s for which nginx and AWS's balancers keep idle connections, so that they close first. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 20_000;
/** Bodies have limits of their own in ingest, by their size; this is for everything else. */
const REQUEST_TIMEOUT_MS = 300_000;
/**
 * A connection without any traffic for this long is closed, like one whose client does not read the answer. Live streams write every 20 s.
 */
const INACTIVITY_TIMEOUT_MS = 300_000;
/** How often Node looks for headers and requests that take too long. Its default of 30 s would more than double the limit. */
const CHECK_TIMEOUTS_EVERY_MS = 5_000;
/** How long a client may read the answer to a broken request. Then the connection is closed in any case. */
const BROKEN_LINGER_MS = 2_000;
const CLOSE_IDLE_EVERY_MS = 50;
/** A request may be on its way on a connection that looks idle. A client that got no data for this long almost never sends one. */
const IDLE_GRACE_MS = 500;

export interface HttpServer {
  /** Resolves with the port. `fd` is a socket that listens already. */
  listen(at: { port: number; host: string | null } | { fd: number }): Promise<number>;
  openConnections(): number;
  /** From now on, every answer asks the client to close its connection and to send the next request over a new one. */
  askToReconnect(): void;
  /**
   * Accepts no more connections, lets running requests finish, and cuts off the rest after `timeoutMs`. `endStreams` is called repeatedly
   * until then, because a running request may still become an endless stream.
   */
  close(options: { timeoutMs: number; endStreams: () => void }): Promise<void>;
}

/** Requests that are not HTTP, too large or too slow, by the code of Node's error. */
const BROKEN_REQUESTS: Record<string, { status: number; reason: string; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "http_headers_too_large",
    detail: `the request's headers are larger than ${MAX_HEADER_BYTES} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: "http_timeout",
    detail: `the request's headers took longer than ${HEADERS_TIMEOUT_MS / 1000} s, or all of it longer than ${REQUEST_TIMEOUT_MS / 1000} s`,
  },
};
/** gRPC speaks HTTP/2 from the first byte: many senders of OpenTelemetry do so by default. */
const HTTP2_PREFACE = "PRI * HTTP/2.0\r\n";
const HTTP2_REQUEST = {
  status: 400,
  reason: "http2",
  detail:
    "this server speaks HTTP/1.1. OpenTelemetry is taken by OTLP over HTTP (otlphttp, http/protobuf), not by gRPC",
};
const MALFORMED_REQUEST = { status: 400, reason: "http_malformed", detail: "this is not an HTTP/1.1 request" };

/** `idle`: closed to make room, while it waited for a request. `over-limit`: not taken, because every other one was in use. */
export type ClosedAtLimit = "idle" | "over-limit";

export interface HttpServerOptions {
  maxConnections: number;
  headersTimeoutMs?: number;
  /** Called for each broken request that cannot be attributed to anybody, with a token like `http_malformed`. */
  onBroken?: (reason: string) => void;
  onClosedAtLimit?: (reason: ClosedAtLimit) => void;
}

export function createHttpServer(
  handle: RequestListener,
  { maxConnections, headersTimeoutMs = HEADERS_TIMEOUT_MS, onBroken, onClosedAtLimit }: HttpServerOptions,
): HttpServer {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: headersTimeoutMs,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    },
    handle,
  );
  server.setTimeout(INACTIVITY_TIMEOUT_MS);
  server.maxConnections = maxConnections;
  server.on("drop", () => onClosedAtLimit?.("over-limit"));
  const connections = keepRoom(server, maxConnections, () => onClosedAtLimit?.("idle"));
  let reconnectSince: number | undefined;
  server.prependListener("request", (_, res) => {
    if (reconnectSince !== undefined) res.shouldKeepAlive = false;
  });
  function askToReconnect(): void {
    reconnectSince ??= performance.now();
    for (const res of connections.answering()) if (!res.headersSent) res.shouldKeepAlive = false;
  }
  const answered = new WeakSet<Duplex>();
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // The sender is gone: nothing was asked.
    if (error.code === "ECONNRESET" || error.code === "EPIPE") {
      socket.destroy();
      return;
    }
    // It is the rest of the same broken request.
    if (answered.has(socket)) return;
    answered.add(socket);
    const isHttp2 = error.rawPacket?.toString("latin1", 0, HTTP2_PREFACE.length) === HTTP2_PREFACE;
    const known = isHttp2 ? HTTP2_REQUEST : BROKEN_REQUESTS[error.code ?? ""];
    const { status, reason, detail } = known ?? MALFORMED_REQUEST;
    onBroken?.(reason);
    answerBroken(socket, status, detail);
  });

  return {
    openConnections: () => connections.open.size,
    askToReconnect,
    listen: (at) => listen(server, at),
    async close({ timeoutMs, endStreams }) {
      askToReconnect();
      const idleFrom = (reconnectSince ?? 0) + IDLE_GRACE_MS;
      // `server.close` is not used: it cuts idle connections off at once, along with requests that are on their way.
      const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
      endStreams();
      const sweep = setInterval(() => {
        endStreams();
        if (performance.now() >= idleFrom) server.closeIdleConnections();
      }, CLOSE_IDLE_EVERY_MS);
      const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/**
 * Near the limit, lets the connection that has waited longest for the headers of a request give way to a new one. So
 * neither clients that keep connections for later nor strangers who open them and say nothing can shut others out.
 *
 * @returns the open connections, and the answers that are under way on them
 */
function keepRoom(
  server: Server,
  maxConnections: number,
  onEvicted: () => void,
): { open: ReadonlySet<Socket>; answering(): ServerResponse[] } {
  // Several connections may come at once, before an evicted one is gone.
  const evictAbove = maxConnections - Math.ceil(maxConnections / 8);
  const open = new Set<Socket>();
  /** Connections without a request, the longest waiting first. */
  const waiting = new Set<Socket>();
  /** A client may send its next request before the answer to the one before. */
  const lastAnswers = new WeakMap<Socket, ServerResponse>();
  server.on("connection", (socket) => {
    open.add(socket);
    waiting.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      waiting.delete(socket);
    });
    const [longest] = waiting;
    if (open.size <= evictAbove || longest === undefined || longest === socket) return;
    waiting.delete(longest);
    longest.destroy();
    onEvicted();
  });
  server.prependListener("request", ({ socket }, res) => {
    waiting.delete(socket);
    lastAnswers.set(socket, res);
    res.once("close", () => {
      if (lastAnswers.get(socket) === res && open.has(socket)) waiting.add(socket);
    });
  });
  return {
    open,
    answering: () => [...open].flatMap((socket) => (waiting.has(socket) ? [] : (lastAnswers.get(socket) ?? []))),
  };
}

/** Answers in the format of ingest, because most senders use it. Browsers see it, too. */
function answerBroken(socket: Duplex, status: number, detail: string): void {
  // As Node does without a listener: an answer to an earlier request must not be cut in two.
  const answering: unknown = Reflect.get(socket, "_httpMessage");
  if (!socket.writable || (typeof answering === "object" && answering !== null)) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail, causes: [] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "access-control-allow-origin: *",
    "access-control-expose-headers: X-Sentry-Error",
    `x-sentry-error: ${detail}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  const linger = setTimeout(() => socket.destroy(), BROKEN_LINGER_MS);
  socket.once("close", () => clearTimeout(linger));
}

function listen(server: Server, at: Parameters<HttpServer["listen"]>[0]): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen("fd" in at ? at : { port: at.port, ...(at.host !== null && { host: at.host }) }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
