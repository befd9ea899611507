import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "vite";

export interface BrowserApp extends AsyncDisposable {
  /** An origin of its own: another port than the server's. */
  origin: string;
  /** Address of the page that reports to the DSN. */
  pageUrl(options: { dsn: string | null; isBare?: boolean; headers?: Record<string, string> }): string;
}

const FOLDER = join(import.meta.dirname, "browser-apps");

export interface PageOptions {
  /** Its Content Security Policy. */
  policy?: string;
  style?: string;
}

/** Bundles an application of `browser-apps` with its SDK from node_modules, and serves it as a page. */
export async function serveBrowserApp(entry: string, { policy, style = "" }: PageOptions = {}): Promise<BrowserApp> {
  const script = await bundle(entry);
  const page = `<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
<body><div id="root"></div><script type="module" src="/app.js"></script>`;
  const server = createServer((req, res) => {
    if (req.url === "/app.js") res.writeHead(200, { "content-type": "text/javascript" }).end(script);
    else if (req.url === "/app.css") res.writeHead(200, { "content-type": "text/css" }).end(style);
    else if (req.url === "/cart.json") res.writeHead(200, { "content-type": "application/json" }).end('{"items":[]}');
    else {
      const headers = policy === undefined ? {} : { "content-security-policy": policy };
      res.writeHead(200, { "content-type": "text/html", ...headers }).end(page);
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    pageUrl: (options) => `${origin}/?options=${encodeURIComponent(JSON.stringify(options))}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export async function bundle(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "error",
    root: FOLDER,
    // As published, but with names that a test can read.
    define: { "process.env.NODE_ENV": '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ["es"] } },
  });
  const [result] = Array.isArray(output) ? output : [output];
  const chunk = result && "output" in result ? result.output.find(({ type }) => type === "chunk") : undefined;
  if (chunk?.type !== "chunk") throw new Error(`${entry} could not be bundled`);
  return chunk.code;
}
