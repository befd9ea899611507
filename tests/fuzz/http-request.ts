import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface HttpQuestion {
  port: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
  isChunked: boolean;
  /** Sends so many bytes and hangs up. */
  abortAfterBytes?: number;
}

/** Keeps connections, so that what one request leaves behind meets the next. */
export function createHttpClient(): { ask(question: HttpQuestion): Promise<HttpAnswer | "aborted">; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    ask({ port, method, path, headers, body, isChunked, abortAfterBytes }) {
      return new Promise((resolve, reject) => {
        const length = isChunked ? { "transfer-encoding": "chunked" } : { "content-length": String(body.length) };
        const req = request(
          { agent, host: "127.0.0.1", port, method, path, headers: { ...headers, ...length } },
          (res) => {
            let text = "";
            res.setEncoding("latin1");
            res.on("data", (chunk: string) => {
              text += chunk;
            });
            res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text }));
            res.on("error", reject);
          },
        );
        req.on("error", (error: NodeJS.ErrnoException) => {
          if (abortAfterBytes !== undefined) resolve("aborted");
          else reject(error);
        });
        if (abortAfterBytes === undefined) req.end(body);
        else req.write(body.subarray(0, abortAfterBytes), () => req.destroy(new Error("hung up")));
      });
    },
    close: () => agent.destroy(),
  };
}
