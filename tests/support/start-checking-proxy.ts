import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { openAnswerChecker } from "./api-document.ts";

/** Stands between a tool and the server, and holds each answer of the web API against the OpenAPI document. */
export interface CheckingProxy extends AsyncDisposable {
  /** For the tool, instead of the server's. */
  url: string;
  /** What went through, in order. */
  exchanges: Exchange[];
  /** Answers that were not as the document says. */
  contradictions: string[];
  /** Cuts the connection of the next so many uploads of chunks in the middle of the body. */
  breakUploads(count: number): void;
}

export interface Exchange {
  method: string;
  /** Path and query. */
  url: string;
  status: number;
  requestHeaders: IncomingHttpHeaders;
  body: string;
}

export async function startCheckingProxy(server: { url: string }): Promise<CheckingProxy> {
  const checker = await openAnswerChecker(server.url);
  const exchanges: Exchange[] = [];
  const contradictions: string[] = [];
  let uploadsToBreak = 0;

  const proxy = createServer((req, res) => {
    const target = new URL(server.url);
    const { method = "GET", url = "/", headers } = req;
    const isBroken = method === "POST" && /\/chunk-upload\/?$/.test(url) && uploadsToBreak > 0;
    if (isBroken) uploadsToBreak -= 1;
    // What is compressed cannot be held against the document.
    const plain = { ...headers, "accept-encoding": "identity" };
    const onward = request(
      { host: target.hostname, port: target.port, method, path: url, headers: plain },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          const body = Buffer.concat(parts).toString("utf8");
          const status = answer.statusCode ?? 0;
          exchanges.push({ method, url, status, requestHeaders: headers, body });
          const path = url.split("?", 1)[0] ?? "/";
          if (path.startsWith("/api/0")) {
            const contentType = answer.headers["content-type"] ?? null;
            const found = checker.findContradiction({ method, path: path.slice(6), status, contentType, body });
            if (found) contradictions.push(found);
          }
          res.writeHead(status, answer.headers);
          res.end(Buffer.concat(parts));
        });
      },
    );
    onward.on("error", () => res.destroy());
    req.on("error", () => onward.destroy());
    res.on("close", () => onward.destroy());
    if (!isBroken) {
      req.pipe(onward);
      return;
    }
    // Some of the body arrives, so that the server is in the middle of a part.
    req.once("data", (part: Buffer) => {
      onward.write(part.subarray(0, Math.ceil(part.length / 2)), () => {
        onward.destroy();
        res.writeHead(502, { "content-type": "application/json" });
        res.end('{"detail":"the connection broke"}');
      });
    });
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    contradictions,
    breakUploads(count) {
      uploadsToBreak = count;
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    },
  };
}
