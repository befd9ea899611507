// In the place of react-router-serve: what was built, and its files.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { createRequestListener } from "@react-router/node";

const TYPES = { ".js": "text/javascript", ".css": "text/css" };
const client = join(import.meta.dirname, "build", "client");
const render = createRequestListener({ build: await import("./build/server/index.js"), mode: "production" });

const server = createServer(async (req, res) => {
  const { pathname } = new URL(req.url, "http://localhost");
  if (!pathname.startsWith("/assets/")) return render(req, res);
  try {
    const content = await readFile(join(client, pathname));
    res.writeHead(200, { "content-type": TYPES[extname(pathname)] ?? "application/octet-stream" }).end(content);
  } catch {
    res.writeHead(404).end();
  }
});
server.listen(0, "127.0.0.1", () => console.log(`listening on ${server.address().port}`));
