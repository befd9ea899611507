import { createServer, type RequestListener, type Server } from "node:http";

/** Baggage of 8 KiB, a key in the URL and cookies of a shared domain fit beside each other. Node's default is half of it. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Longer than the 60 s that nginx and the 60 s that AWS's balancers keep idle connections: they close first, not we. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 20_000;
/** Bodies have limits of their own in ingest, by their size; this is for everything else. */
const REQUEST_TIMEOUT_MS = 300_000;
const CLOSE_IDLE_EVERY_MS = 50;

export interface HttpServer {
  /** Resolves with the port. */
  listen(port: number, host: string | null): Promise<number>;
  /**
   * Takes no more connections, lets requests in flight finish, and after `timeoutMs` cuts off what is left. `endStreams` is
   * called again and again until then: a request in flight may still become a stream that would never end.
   */
  close(options: { timeoutMs: number; endStreams: () => void }): Promise<void>;
}

export function createHttpServer(handle: RequestListener): HttpServer {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
    },
    handle,
  );

  return {
    listen: (port, host) => listen(server, port, host),
    async close({ timeoutMs, endStreams }) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endStreams();
      // A connection that becomes idle now would be kept for another request, which never comes.
      const sweep = setInterval(() => {
        endStreams();
        server.closeIdleConnections();
      }, CLOSE_IDLE_EVERY_MS);
      const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

function listen(server: Server, port: number, host: string | null): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, ...(host !== null && { host }) }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
