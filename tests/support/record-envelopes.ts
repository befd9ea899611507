import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { waitFor } from "./api.ts";

export interface RecordedItem {
  type: string;
  /** The payload; null where it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever an SDK sent
  payload: any;
}

/** A server that takes envelopes as Sentry does, and keeps them to be looked at. */
export interface EnvelopeRecorder extends AsyncDisposable {
  url: string;
  dsn: string;
  items: readonly RecordedItem[];
  /** Every request, also those that are no envelopes. */
  requests: ReadonlyArray<{ url: string; headers: IncomingHttpHeaders }>;
  /** The first item that the function accepts, past ones included. */
  waitForItem(what: string, accepts: (item: RecordedItem) => boolean): Promise<RecordedItem>;
}

export async function recordEnvelopes(): Promise<EnvelopeRecorder> {
  const items: RecordedItem[] = [];
  const requests: Array<{ url: string; headers: IncomingHttpHeaders }> = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    requests.push({ url: req.url ?? "", headers: req.headers });
    items.push(...parseItems((req.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString("utf8")));
    res.writeHead(200, {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "content-type": "application/json",
    });
    res.end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    dsn: `http://${"c".repeat(32)}@127.0.0.1:${port}/9`,
    items,
    requests,
    waitForItem: (what, accepts) => waitFor(what, async () => items.find(accepts)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Enough for what our own SDKs send: one line a payload. */
function parseItems(envelope: string): RecordedItem[] {
  const [, ...lines] = envelope.split("\n");
  const items: RecordedItem[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const head = parse(lines[at]);
    if (typeof head?.type === "string") items.push({ type: head.type, payload: parse(lines[at + 1]) });
  }
  return items;
}

function parse(line: string | undefined) {
  try {
    return JSON.parse(line ?? "");
  } catch {
    return null;
  }
}
