import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../../app/domain/event.ts";
import { makeBundle } from "../../app/symbolicate/fixtures/map-stacks.ts";
import { makeSourceMap } from "../../bench/make-source-map.ts";
import {
  type ApiFrame,
  type ApiIssue,
  getJson,
  listIssues,
  sendEnvelope,
  toEventEnvelope,
  waitFor,
  waitForEvent,
  waitForIssues,
} from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { type Bundler, recordedBundle, recordedFrames, uploadMaps } from "../support/upload-maps.ts";

const MAPPED = ["runCase", "CASES.plainFunction", "addToCart", "findInStock", "fail"];

/** An error in the minified build of a bundler. */
function makeMinifiedError(bundler: Bundler, more: Record<string, unknown> = {}): Record<string, unknown> {
  const exception = { type: "Error", value: "out of stock", stacktrace: { frames: recordedFrames(bundler) } };
  return { platform: "javascript", release: `shop@${bundler}`, exception: { values: [exception] }, ...more };
}

async function sendError(server: TestServer, event: Record<string, unknown>): Promise<string> {
  const { eventId, envelope } = toEventEnvelope(event);
  const response = await sendEnvelope(server, envelope);
  expect(response.status).toBe(200);
  return eventId;
}

interface ApiException {
  values: Array<{ stacktrace: { frames: ApiFrame[] } | null; rawStacktrace: { frames: ApiFrame[] } | null }>;
}

interface StoredApiEvent {
  groupID: string;
  entries: Array<{ type: string; data: ApiException }>;
  errors: Array<Record<string, unknown>>;
}

async function readEvent(server: TestServer, eventId: string): Promise<StoredApiEvent> {
  return await waitFor(`event ${eventId}`, () =>
    getJson<StoredApiEvent>(server, `/projects/default/shop/events/${eventId}/`),
  );
}

function exceptionOf(event: StoredApiEvent) {
  return event.entries.find(({ type }) => type === "exception")?.data.values[0];
}

function namesOf(event: StoredApiEvent): Array<string | null> {
  return exceptionOf(event)?.stacktrace?.frames.map(({ function: name }) => name) ?? [];
}

/** What the digest stored, whatever pages make of it. */
async function readActivity(server: TestServer, issueId: string): Promise<string> {
  return (await (await signIn(server)).open(`/issues/${issueId}`)).html;
}

async function waitForPass(server: TestServer): Promise<void> {
  await server.waitForLog(({ msg }) => msg === "stored events were mapped by new uploads");
}

describe("an upload before the event", () => {
  test("the event is stored mapped, with what was sent beside it, and grouped by its sources", async () => {
    await using server = await startServer();
    await uploadMaps(server, recordedBundle("rolldown"), { version: "shop@rolldown" });
    await uploadMaps(server, recordedBundle("terser"), { version: "shop@terser" });
    const ids = [
      await sendError(server, makeMinifiedError("rolldown")),
      await sendError(server, makeMinifiedError("terser")),
    ];
    await waitFor("one issue of both", async () => {
      const [issue, ...others] = await listIssues(server);
      return others.length === 0 && issue?.count === "2" && issue.culprit.includes("fail");
    });
    for (const eventId of ids) {
      const event = await readEvent(server, eventId);
      expect(namesOf(event)).toEqual(MAPPED);
      const last = exceptionOf(event)?.stacktrace?.frames.at(-1);
      expect(last).toMatchObject({ inApp: true, data: { symbolicated: true, resolved_with: "release" } });
      expect(last?.context.find(([line]) => line === last.lineNo)?.[1]).toContain("new Error(message)");
      expect(last?.context[0]?.[0]).toBeGreaterThanOrEqual((last?.lineNo ?? 0) - 5);
      expect(exceptionOf(event)?.rawStacktrace?.frames.at(-1)?.lineNo).toBe(1);
      expect(event.errors).toEqual([]);
    }
  });

  test("a map that cannot be read leaves the event as it came, and says so", async () => {
    await using server = await startServer();
    const bundle = makeBundle([
      { url: "~/assets/rolldown.js", type: "minified_source", content: "e();\n//# sourceMappingURL=rolldown.js.map" },
      { url: "~/assets/rolldown.js.map", type: "source_map", content: '{"version":3,"mappings":' },
    ]);
    await uploadMaps(server, bundle, { version: "shop@rolldown" });
    const eventId = await sendError(server, makeMinifiedError("rolldown"));
    await waitForEvent(server, eventId);
    const event = await readEvent(server, eventId);
    expect(namesOf(event).at(-1)).toBe("e");
    expect(event.errors).toContainEqual(
      expect.objectContaining({ type: "malformed_sourcemap", url: "https://shop.example/assets/rolldown.js" }),
    );
    const page = await (await signIn(server)).open(`/issues/${event.groupID}/events/${eventId}`);
    expect(page.status).toBe(200);
    // The upload that fixes it.
    await uploadMaps(server, recordedBundle("rolldown"), { version: "shop@rolldown" });
    expect(namesOf(await readEvent(server, eventId))).toEqual(MAPPED);
  });
});

describe("an upload after the event", () => {
  test("the events are readable at once, and their issues are joined, with counts, graph and address", async () => {
    using data = makeTempFolder();
    await using server = await startServer({ dataDir: data.path });
    const sent: string[] = [];
    for (const bundler of ["rolldown", "rolldown", "terser"] as const)
      sent.push(await sendError(server, makeMinifiedError(bundler, { user: { id: `${sent.length}` } })));
    // Another error of the same file, which must stay what it is.
    const other = await sendError(server, {
      ...makeMinifiedError("rolldown"),
      exception: {
        values: [{ type: "Other", value: "x", stacktrace: { frames: recordedFrames("rolldown", "getter") } }],
      },
    });
    const before = await waitForIssues(server, 3);
    await waitFor("all events", async () => (await sum(server)) === 4);
    expect(namesOf(await readEvent(server, sent[0] ?? "")).at(-1)).toBe("e");

    await uploadMaps(server, recordedBundle("rolldown"), { version: "shop@rolldown" });
    expect(namesOf(await readEvent(server, sent[0] ?? ""))).toEqual(MAPPED);
    await uploadMaps(server, recordedBundle("terser"), { version: "shop@terser" });
    const look = async (server: TestServer) => {
      const issues = await waitFor("two issues", async () => {
        const left = await listIssues(server);
        return left.length === 2 && left;
      });
      const joined = issues.find(({ count }) => count === "3");
      expect(joined).toMatchObject({ userCount: 3, culprit: expect.stringContaining("fail") });
      // The issue is counted first, and its events are stored with it after that.
      const events = await waitFor("the events of the joined issue", async () => {
        const stored = await getJson<unknown[]>(server, `/organizations/default/issues/${joined?.id}/events/`);
        return stored.length >= sent.length && stored;
      });
      expect(events).toHaveLength(3);
      for (const eventId of sent) expect((await readEvent(server, eventId)).groupID).toBe(joined?.id);
      expect((await readEvent(server, other)).groupID).not.toBe(joined?.id);
      const ended = before.find(({ id }) => !issues.some((issue) => issue.id === id));
      const visitor = await signIn(server);
      for (const address of [ended?.id, ended?.shortId]) {
        const page = await visitor.open(`/issues/${address}`);
        expect(page.url).toBe(`${server.url}/issues/${joined?.id}`);
      }
      const html = await readActivity(server, joined?.id ?? "");
      expect(html).toContain(`${ended?.shortId} joined it`);
      expect(html.match(/joined it/g)).toHaveLength(1);
      const last = await visitor.open(`/issues/${ended?.id}/events/${sent[2]}`);
      expect(last.url).toBe(`${server.url}/issues/${joined?.id}/events/${sent[2]}`);
      expect(last.html).toContain("findInStock");
      const asSent = await visitor.open(`/issues/${joined?.id}/events/${sent[2]}?source=sent`);
      expect(asSent.html).toContain("1:868");
    };
    await look(server);
    await server.stop();

    await using restarted = await startServer({ dataDir: data.path });
    await look(restarted);
    await waitFor("the mark that all was looked at", async () =>
      readFileSync(join(data.path, "source-map-pass.json"), "utf8").includes("artifactVersion"),
    );
  });

  test("a server that is killed in the middle of it joins them after it starts again, and counts nothing twice", async () => {
    using data = makeTempFolder();
    await using first = await startServer({ dataDir: data.path });
    const eventCount = 700;
    for (let index = 0; index < eventCount; index++)
      await sendError(first, makeMinifiedError(index % 2 === 0 ? "rolldown" : "terser"));
    await waitFor("all events", async () => (await sum(first)) === eventCount);
    const issues = await waitForIssues(first, 2);
    await uploadMaps(first, recordedBundle("rolldown"), { version: "shop@rolldown" });
    await uploadMaps(first, recordedBundle("terser"), { version: "shop@terser" });
    // Some events were looked at, and others not.
    await waitFor("the pass to be on its way", async () => {
      const metrics = await (await fetch(`${first.url}/metrics`)).text();
      return Number(/^culprit_source_map_pass_events (\d+)/m.exec(metrics)?.[1]) > 400;
    });
    await first.kill9();

    await using second = await startServer({ dataDir: data.path });
    const joined = await waitFor("one issue", async () => {
      const left = await listIssues(second);
      return left.length === 1 && left[0];
    });
    await waitForPass(second);
    expect(joined.count).toBe(String(eventCount));
    expect(await countStored(second, joined)).toBe(eventCount);
    const html = await readActivity(second, issues.find(({ id }) => id !== joined.id)?.id ?? "");
    expect(html.match(/joined it/g)).toHaveLength(1);
  });
});

test("a map of 50 MB holds up neither what is sent meanwhile, nor a page", async () => {
  await using server = await startServer();
  const elsewhere = await makeProject(server, "elsewhere");
  const { code, map, callColumns } = makeSourceMap(50_000_000);
  const bundle = makeBundle([
    { url: "~/assets/big.js", type: "minified_source", content: `${code}\n//# sourceMappingURL=big.js.map` },
    { url: "~/assets/big.js.map", type: "source_map", content: map },
  ]);
  await uploadMaps(server, bundle, { version: "big@1" });
  const visitor = await signIn(server);
  const frames = callColumns.slice(-3).map((colno) => ({
    abs_path: "https://shop.example/assets/big.js",
    function: "x",
    lineno: 1,
    colno,
    in_app: true,
  }));
  const order: string[] = [];
  const big = sendError(server, {
    platform: "javascript",
    release: "big@1",
    exception: { values: [{ type: "Error", value: "big", stacktrace: { frames } }] },
  });
  const mapped = big.then((eventId) =>
    waitFor("the event of the large map", async () => {
      const event = await readEvent(server, eventId).catch(() => null);
      return event !== null && namesOf(event).every((name) => name?.startsWith("computeShipping")) && eventId;
    }).then((id) => {
      order.push("mapped");
      return id;
    }),
  );
  await big;
  const others: string[] = [];
  for (let index = 0; index < 20; index++) {
    const { eventId, envelope } = toEventEnvelope({ message: `elsewhere ${index}` });
    const response = await sendEnvelope({ ...server, dsn: elsewhere.dsn }, envelope);
    expect(response.status).toBe(200);
    others.push(eventId);
  }
  order.push("accepted");
  expect((await visitor.open("/issues")).status).toBe(200);
  order.push("page");
  for (const eventId of others)
    await waitFor("the other project's event", async () => {
      const answer = await fetch(`${server.url}/api/0/projects/default/elsewhere/events/${eventId}/`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      return answer.status === 200;
    });
  await mapped;
  expect(order).toEqual(["accepted", "page", "mapped"]);
  // It was grouped by its sources, at once or in the background.
  await expect.poll(async () => (await listIssues(server))[0]?.culprit).toContain("computeShipping");
});

async function sum(server: TestServer): Promise<number> {
  return (await listIssues(server)).reduce((total, { count }) => total + Number(count), 0);
}

/** Events of the issue in the event store. */
async function countStored(server: TestServer, { id }: ApiIssue): Promise<number> {
  const headers = { authorization: `Bearer ${server.token}` };
  let path: string | null = `/api/0/organizations/default/issues/${id}/events/?per_page=100`;
  let count = 0;
  while (path !== null) {
    const response: Response = await fetch(`${server.url}${path}`, { headers });
    count += ((await response.json()) as SentryEvent[]).length;
    const next = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get("link") ?? "")?.[1];
    path = next === undefined ? null : next.replace(/^https?:\/\/[^/]+/, "");
  }
  return count;
}
