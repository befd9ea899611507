import { expect, test } from "vitest";
import { getJson, sendEnvelope, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeLogEnvelope } from "../support/make-trace-envelope.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

// The live tail of log lines, as a browser reads it.

interface TailedEvent {
  id: string;
  data: { kind: string; lines: Array<{ body: string }>; isAll?: boolean };
}

/** Resolves once the server listens for the reader. */
async function openTail(server: TestServer, query: string, lastEventId?: string) {
  const { cookie } = await signIn(server);
  const ending = new AbortController();
  const answer = await fetch(`${server.url}/logs/tail?${query}`, {
    headers: { cookie, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
    signal: ending.signal,
  });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const events: TailedEvent[] = [];
  let text = "";
  async function read(): Promise<void> {
    const { value, done } = await reader.read();
    expect(done).toBe(false);
    text += decoder.decode(value, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data) events.push({ id: /^id: (.*)$/m.exec(frame)?.[1] ?? "", data: JSON.parse(data) });
    }
  }
  await read();
  const bodies = () => events.flatMap(({ data }) => data.lines.map(({ body }) => body));
  return {
    events,
    read,
    async readBodies(count: number): Promise<string[]> {
      while (bodies().length < count) await read();
      return bodies();
    },
    close: () => ending.abort(),
  };
}

const sendLines = (server: TestServer, ...bodies: string[]) =>
  sendEnvelope(
    server,
    makeLogEnvelope(
      crypto.randomUUID().replaceAll("-", ""),
      bodies.map((body) => [0, "info", body, "a"] as const),
      Date.now(),
    ),
  );

test("a browser that comes back gets what came since, across a restart, each line once", async () => {
  using folder = makeTempFolder();
  let server = await startServer({ dataDir: folder.path });
  const { port } = server;
  const first = await openTail(server, "q=line");
  await sendLines(server, "line a", "something else");
  expect(await first.readBodies(1)).toEqual(["line a"]);
  const place = first.events.at(-1)?.id;
  first.close();
  await sendLines(server, "line b", "something else");
  await waitFor("line b", async () => {
    const { data } = await getJson<{ data: unknown[] }>(
      server,
      "/organizations/default/events/?dataset=logs&query=%22line b%22",
    );
    return data.length === 1;
  });
  await server.stop();

  server = await startServer({ dataDir: folder.path, port });
  const second = await openTail(server, "q=line", place);
  expect(await second.readBodies(1)).toEqual(["line b"]);
  expect(second.events[0]?.data).toMatchObject({ kind: "filled", isAll: true });
  await sendLines(server, "line c", "line d");
  expect(await second.readBodies(3)).toEqual(["line b", "line c", "line d"]);
  second.close();

  const stale = await openTail(server, "q=line", `${place?.replace(/^[0-9a-f]+/, "00ff")}`);
  expect(stale.events).toMatchObject([{ data: { kind: "filled", lines: [], isAll: false } }]);
  stale.close();
  await server.stop();
});

test("a search that is not understood is refused, and readers beyond the limit are told so", async () => {
  await using server = await startServer();
  const { cookie } = await signIn(server);
  const refused = await fetch(`${server.url}/logs/tail?q=is:new`, { headers: { cookie } });
  expect(refused.status).toBe(400);
  const tails = [];
  for (let index = 0; index < 9; index++) tails.push(await openTail(server, ""));
  expect(tails.at(-1)?.events).toMatchObject([{ data: { kind: "full" } }]);
  for (const tail of tails) tail.close();
});

test("the streams of somebody who signs out end, though nothing came", async () => {
  await using server = await startServer();
  const { cookie } = await signIn(server);
  const other = await signIn(server);
  const open = async (path: string, headers = { cookie }) => {
    const { body } = await fetch(server.url + path, { headers });
    return (body as ReadableStream<Uint8Array>).getReader();
  };
  const streams = [await open("/live"), await open("/logs/tail")];
  const kept = await open("/live", { cookie: other.cookie });
  await fetch(`${server.url}/sign-out`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: server.url },
  });
  for (const stream of streams) while (!(await stream.read()).done);
  const { status } = await fetch(`${server.url}/live`, { headers: { cookie } });
  expect(status).toBe(401);
  await sendEnvelope(server, toEventEnvelope({ message: "news" }).envelope);
  let heard = "";
  while (!heard.includes('"kind":"issues"')) {
    const { value, done } = await kept.read();
    expect(done).toBe(false);
    heard += new TextDecoder().decode(value);
  }
  await kept.cancel();
});

test("a browser over HTTP/1.1 keeps connections for its pages, and a closed stream makes room", async () => {
  await using server = await startServer();
  const { cookie } = await signIn(server);
  const open = async (path: string, headers = { cookie }) => {
    const ending = new AbortController();
    const answer = await fetch(server.url + path, { headers, signal: ending.signal });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let heard = "";
    while (!heard.includes("data: ")) heard += decoder.decode((await reader.read()).value, { stream: true });
    return { heard, reader, close: () => ending.abort() };
  };
  const live = "/live?http=1.1";
  const tail = `/logs/tail?feed=1&from=0a.1.${Date.now()}&http=1.1`;
  const streams = [await open(live), await open(tail), await open(live), await open(tail)];
  for (const { heard } of streams) expect(heard).toMatch(/"kind":"(hello|filled)"/);
  expect((await open(live)).heard).toMatch(/^retry: 5000\n\ndata: {"kind":"full"}\n\n$/);
  expect((await open(tail)).heard).toMatch(/^retry: 5000\n\ndata: {"kind":"full"}\n\n$/);
  expect((await open("/live")).heard).toContain('"kind":"hello"');
  const other = await signIn(server);
  expect((await open(live, { cookie: other.cookie })).heard).toContain('"kind":"hello"');

  streams[1]?.close();
  await waitFor("room", async () => (await open(live)).heard.includes('"kind":"hello"'));
});

test("a live tail brings the news of the live feed, too, when its page asks for them", async () => {
  await using server = await startServer();
  const tail = await openTail(server, "feed=1&q=line");
  await sendEnvelope(server, toEventEnvelope({ message: "news" }).envelope);
  await sendLines(server, "line a");
  const kinds = () => tail.events.map(({ data }) => data.kind);
  while (!["hello", "issues", "news"].every((kind) => kinds().includes(kind))) await tail.read();
  tail.close();
});

test("a request for the data of a stream is answered at once", async () => {
  await using server = await startServer();
  const { cookie } = await signIn(server);
  for (const path of ["/live.data", "/logs/tail.data"]) {
    const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, signal: AbortSignal.timeout(5_000) });
    expect([answer.status, (await answer.text()).includes("This is a stream of events")], path).toEqual([404, true]);
  }
});
