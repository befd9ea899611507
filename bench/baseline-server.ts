// The least that an HTTP server on Node can do with an event: read the body, and answer as Culprit answers. Nothing is
// kept. What Culprit accepts a second is told relative to it, because that differs less between machines.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ANSWER = `{"id":"${"0".repeat(32)}"}`;
const HEADERS = ["content-type", "application/json", "content-length", String(ANSWER.length)];

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    res.writeHead(200, HEADERS);
    res.end(ANSWER);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit(0));
