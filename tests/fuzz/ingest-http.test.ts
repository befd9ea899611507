import zlib from "node:zlib";
import { expect, test } from "vitest";
import { parseEnvelope } from "../../app/protocol/parse-envelope.ts";
import { KEYS, startIngestServer } from "../support/ingest-server.ts";
import { liveBytes } from "./collect-garbage.ts";
import { ENVELOPE_CORPUS, EVENT_CORPUS } from "./fuzz-corpus.ts";
import { type Chance, createFuzzRun } from "./fuzz-run.ts";
import { createHttpClient, type HttpQuestion } from "./http-request.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";

const run = createFuzzRun("ingest over HTTP", 0.1);

/** What may be answered to anything at all. 418 is the test server's word for paths that are not of ingest. */
const MEANT = new Set([200, 400, 401, 403, 404, 405, 413, 415, 418, 429]);

const REPORTS = [
  '{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://a.example/x","document-uri":"https://b.example/"}}',
  '[{"type":"csp-violation","age":1,"url":"https://a.example/","body":{"effectiveDirective":"script-src-elem","blockedURL":"inline"}}]',
  '{"expect-ct-report":{"hostname":"a.example","port":443,"served-certificate-chain":["x"]}}',
  '[{"type":"network-error","url":"https://a.example/","body":{"type":"tcp.refused","phase":"connection"}}]',
].map((text) => Buffer.from(text));

const ENCODINGS: ReadonlyArray<[token: string, pack: (body: Uint8Array) => Uint8Array]> = [
  ["gzip", (body) => zlib.gzipSync(body, { level: 1 })],
  ["deflate", (body) => zlib.deflateSync(body, { level: 1 })],
  ["deflate", (body) => zlib.deflateRawSync(body, { level: 1 })],
  ["br", (body) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ["zstd", (body) => zlib.zstdCompressSync(body)],
  ["gzip", (body) => zlib.gzipSync(zlib.gzipSync(body, { level: 1 }), { level: 1 })],
];
const TOKENS = [
  "gzip",
  "x-gzip",
  "GZIP",
  "deflate",
  "br",
  "zstd",
  "identity",
  "",
  "gzip, br",
  "made-up",
  "gzip;q=1",
  ",",
];

function makeBody(endpoint: string, chance: Chance): Uint8Array {
  if (endpoint === "security")
    return chance.oneIn(2) ? mutateBytes(chance.pick(REPORTS), chance) : chance.pick(REPORTS);
  if (endpoint === "envelope") {
    const envelope = chance.pick(ENVELOPE_CORPUS);
    return chance.oneIn(4) ? envelope : mutateBytes(envelope, chance);
  }
  const event = chance.pick(EVENT_CORPUS);
  if (chance.oneIn(2)) return mutateBytes(Buffer.from(event), chance);
  const json = Buffer.from(JSON.stringify(mutateJson(JSON.parse(event), chance)));
  return chance.oneIn(4) ? Buffer.from(zlib.deflateSync(json, { level: 1 }).toString("base64")) : json;
}

/** Printable noise: Node's own client refuses to send anything else in a header. */
function mutateText(text: string, chance: Chance): string {
  const bytes = mutateBytes(Buffer.from(text), chance).subarray(0, 2000);
  return bytes.toString("latin1").replaceAll(/[^\x21-\x7e]/g, "~");
}

function makeQuestion(port: number, chance: Chance): HttpQuestion {
  const endpoint = chance.pick(["envelope", "envelope", "store", "security"]);
  const key = chance.oneIn(20) ? chance.pick([...Object.values(KEYS), "", "x".repeat(32)]) : KEYS.open;
  const headers: Record<string, string> = {};
  let path = `/api/1/${endpoint}/`;
  if (chance.oneIn(2)) path += `?sentry_key=${key}&sentry_version=7`;
  else headers["x-sentry-auth"] = `Sentry sentry_version=7, sentry_client=a/1, sentry_key=${key}`;
  if (chance.oneIn(20)) path = mutateText(path, chance);
  if (chance.oneIn(20) && headers["x-sentry-auth"])
    headers["x-sentry-auth"] = mutateText(headers["x-sentry-auth"], chance);
  if (chance.oneIn(20))
    headers.authorization = chance.pick(["Basic !!!", "Bearer x", `Basic ${btoa(`${key}:`)}`, "Sentry"]);
  if (chance.oneIn(10))
    headers["content-type"] = chance.pick([
      "application/x-sentry-envelope",
      "text/plain",
      "multipart/form-data",
      "a/b",
      ";",
    ]);
  if (chance.oneIn(20))
    headers.origin = chance.pick(["null", "https://app.example.com", "://", mutateText("https://a.b", chance)]);
  if (chance.oneIn(20)) headers["user-agent"] = mutateText("x".repeat(100), chance);

  let body = makeBody(endpoint, chance);
  if (chance.oneIn(3)) {
    const [token, pack] = chance.pick(ENCODINGS);
    body = pack(body);
    if (chance.oneIn(3)) body = mutateBytes(body, chance);
    if (!chance.oneIn(6)) headers["content-encoding"] = token;
  }
  if (chance.oneIn(20)) headers["content-encoding"] = chance.pick(TOKENS);
  const method = chance.oneIn(40) ? chance.pick(["GET", "PUT", "OPTIONS", "HEAD", "DELETE"]) : "POST";
  const question = {
    port,
    method,
    path: path.startsWith("/") ? path : `/${path}`,
    headers,
    body,
    isChunked: chance.oneIn(5),
  };
  return chance.oneIn(100) && body.length > 0 ? { ...question, abortAfterBytes: chance.int(body.length) } : question;
}

test("mutated requests get an answer that is meant, and what is journaled can be read", async () => {
  await using server = await startIngestServer();
  const client = createHttpClient();
  const statuses: Record<string, number> = {};
  let liveBefore = 0;

  /** What the journal holds must never be a surprise to the digest. */
  function checkJournal(): void {
    for (const entry of server.journal.entries.splice(0)) {
      if (entry.kind !== "envelope") continue;
      const { items } = parseEnvelope(entry.body);
      if (items.length === 0) throw new Error("an envelope without items was journaled");
      if (entry.eventId !== null && !/^[0-9a-f]{32}$/.test(entry.eventId))
        throw new Error(`${entry.eventId} is no event id`);
      if (entry.projectId !== 1) throw new Error(`the project is ${entry.projectId}`);
    }
  }

  await run.each(async (chance, caseNumber) => {
    if (caseNumber === Math.floor(run.count / 3)) liveBefore = liveBytes();
    const question = makeQuestion(server.port, chance);
    const answer = await client.ask(question);
    checkJournal();
    if (server.logged.length > 0)
      throw new Error(`the server logged ${JSON.stringify(server.logged)}`, { cause: server.logged[0] });
    if (answer === "aborted") return;
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const told = `${question.method} ${question.path} ${JSON.stringify(question.headers)}: ${answer.status} ${answer.body}`;
    if (!MEANT.has(answer.status)) throw new Error(told);
    if (answer.status === 418) return;
    if (answer.headers["access-control-allow-origin"] !== "*") throw new Error(`${told} (without CORS)`);
    if (question.method !== "POST") return;
    if (answer.status === 200) {
      if (!/^(?:|\{\}|\{"id":"[0-9a-f]{32}"\})$/.test(answer.body)) throw new Error(told);
    } else if (typeof JSON.parse(answer.body).detail !== "string") throw new Error(told);
  }, 16);

  client.close();
  await expect.poll(() => server.ingest.inFlightBytes).toBe(0);
  console.log(`fuzz ingest over HTTP: answers ${JSON.stringify(statuses)}`);
  if (process.env.FUZZ_CASE !== undefined) return;
  expect(statuses[200]).toBeGreaterThan(run.count / 10);
  expect(statuses[400]).toBeGreaterThan(run.count / 100);
  expect(liveBytes() - liveBefore).toBeLessThan(32 * 1024 * 1024);
});
