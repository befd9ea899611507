import { createServer } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

const DECODERS = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/** Takes everything that an SDK sends, and keeps the bodies, decompressed. */
export async function openEnvelopeSink() {
  let bodies = [];
  const server = createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (req.method === "POST") bodies.push(DECODERS[req.headers["content-encoding"]]?.(body) ?? body);
    res.writeHead(200, { ...CORS, "content-type": "application/json" }).end("{}");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${server.address().port}`;
  return {
    url: `http://${host}`,
    dsn: `http://0123456789abcdef0123456789abcdef@${host}/1`,
    /** What has come since the last call. */
    take() {
      const taken = bodies;
      bodies = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
