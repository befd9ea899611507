import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProxiedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
}

export interface Hold {
  /** Resolves when a request is held. */
  readonly caught: Promise<ProxiedRequest>;
  /** Lets what is held go on, and holds nothing any more. */
  release(): void;
}

/** Stands between a browser and a server: counts what passes, and lets the network be slow or odd where a test wants it. */
export interface TestProxy extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
  requests: readonly ProxiedRequest[];
  count(matches: RegExp | ((request: ProxiedRequest) => boolean)): number;
  /** Requests whose path matches wait: before they reach the server, or in the middle of their answer's body. */
  hold(path: RegExp, where?: "before" | "within"): Hold;
  /** Answers requests that match by itself, without a body. */
  refuse(matches: (request: ProxiedRequest) => boolean, status: number): void;
  /** Changes the answers to requests that match: gives headers to set. */
  changeAnswers(matches: (request: ProxiedRequest) => boolean, headers: Record<string, string>): void;
  /** Forgets what was counted. */
  forget(): void;
}

export async function startProxy(target: { port: number }): Promise<TestProxy> {
  let requests: ProxiedRequest[] = [];
  const holds = new Set<{
    path: RegExp;
    where: string;
    gate: Promise<void>;
    catch: (request: ProxiedRequest) => void;
  }>();
  const refusals: Array<{ matches: (request: ProxiedRequest) => boolean; status: number }> = [];
  const changes: Array<{ matches: (request: ProxiedRequest) => boolean; headers: Record<string, string> }> = [];

  const server = createServer(async (req, res) => {
    const proxied = { method: req.method ?? "", path: req.url ?? "", headers: req.headers };
    requests.push(proxied);
    const find = (wanted: string) => [...holds].find(({ path, where }) => where === wanted && path.test(proxied.path));
    const before = find("before");
    before?.catch(proxied);
    await before?.gate;
    const refusal = refusals.find(({ matches }) => matches(proxied));
    if (refusal) return res.writeHead(refusal.status, { "content-type": "text/plain" }).end();
    const onAnswer = async (answer: IncomingMessage) => {
      const headers = { ...answer.headers };
      for (const change of changes) if (change.matches(proxied)) Object.assign(headers, change.headers);
      res.writeHead(answer.statusCode ?? 502, headers);
      const within = find("within");
      if (within) {
        await sendHalf(answer, res, () => within.catch(proxied), within.gate);
        return;
      }
      answer.pipe(res);
      answer.once("error", () => res.destroy());
    };
    const forwarded = request(
      { host: "127.0.0.1", port: target.port, method: req.method, path: req.url, headers: req.headers },
      (answer) => void onAnswer(answer),
    );
    forwarded.once("error", () => res.destroy());
    res.once("close", () => forwarded.destroy());
    req.pipe(forwarded);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    count: (matches) =>
      requests.filter((each) => (typeof matches === "function" ? matches(each) : matches.test(each.path))).length,
    hold(path, where = "before") {
      const caught = Promise.withResolvers<ProxiedRequest>();
      const gate = Promise.withResolvers<void>();
      const hold = { path, where, gate: gate.promise, catch: caught.resolve };
      holds.add(hold);
      return {
        caught: caught.promise,
        release() {
          holds.delete(hold);
          gate.resolve();
        },
      };
    },
    refuse: (matches, status) => void refusals.push({ matches, status }),
    changeAnswers: (matches, headers) => void changes.push({ matches, headers }),
    forget: () => {
      requests = [];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Half of the body, and the other half when the gate opens. */
async function sendHalf(
  answer: IncomingMessage,
  res: ServerResponse,
  onHalf: () => void,
  gate: Promise<void>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const half = Math.ceil(body.length / 2);
  res.write(body.subarray(0, half), onHalf);
  await gate;
  res.end(body.subarray(half));
}
