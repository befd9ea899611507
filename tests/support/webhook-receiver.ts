import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedHook {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real receiver of webhooks on the loopback. `answer` ends the response; absent: 200 `ok`. */
export async function startWebhookReceiver({
  answer = (_, res) => void res.end("ok"),
  port = 0,
}: {
  answer?: (hook: ReceivedHook, res: ServerResponse) => void;
  port?: number;
} = {}) {
  const received: ReceivedHook[] = [];
  const state = { answer };
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      const hook = { headers: req.headers, body: Buffer.concat(parts).toString("utf8") };
      received.push(hook);
      state.answer(hook, res);
    });
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const address = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${address.port}/hook/s3cret`,
    answerWith: (next: typeof answer) => {
      state.answer = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** As a receiver checks a signature: by the words of Standard Webhooks, not by our code. */
export function isSigned({ headers, body }: ReceivedHook, secret: string): boolean {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(signature);
}
