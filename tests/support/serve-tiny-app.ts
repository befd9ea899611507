import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build } from "vite";

/**
 * A page with the real browser SDK, at an origin of its own. `open(dsn)` gives its address for a DSN; its button "Pay" throws
 * an error that nobody catches.
 */
export interface TinyApp extends AsyncDisposable {
  open(dsn: string): string;
  origin: string;
}

export async function serveTinyApp(): Promise<TinyApp> {
  const script = await bundle();
  const server = createServer((req, res) => {
    if (req.url?.startsWith("/app.js")) return res.writeHead(200, { "content-type": "text/javascript" }).end(script);
    res.writeHead(200, { "content-type": "text/html" });
    return res.end(
      '<!doctype html><meta charset="utf-8"><title>Tiny shop</title><link rel="icon" href="data:,"><button>Pay</button><script src="/app.js"></script>',
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    open: (dsn) => `${origin}/?dsn=${encodeURIComponent(dsn)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "error",
    root: resolve(import.meta.dirname, "tiny-app"),
    build: { write: false, minify: false, lib: { entry: "main.js", formats: ["iife"], name: "tiny" } },
  });
  const [result] = Array.isArray(output) ? output : [output];
  const chunk = result && "output" in result ? result.output.find(({ type }) => type === "chunk") : undefined;
  if (chunk?.type !== "chunk") throw new Error("the tiny application could not be built");
  return chunk.code;
}
