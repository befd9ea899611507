import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../app/domain/time.ts";
import { getJson, listIssues, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeError } from "../support/make-event.ts";
import { mountBreakableDisk } from "../support/mount-breakable-disk.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

async function sendError(server: TestServer, name: string, more: Record<string, unknown> = {}): Promise<string> {
  const { eventId, envelope } = toEventEnvelope(makeError(name, more));
  const answer = await sendEnvelope(server, envelope);
  expect(answer.status).toBe(200);
  return eventId;
}

describe("a clock that jumps", () => {
  test("a day forward and two back loses nothing, and nobody is signed out", { timeout: 240_000 }, async () => {
    using folder = makeTempFolder();
    const clock = makeServerClock(folder.path);
    await using server = await startServer({ env: { ...clock.env } });
    const visitor = await signIn(server);
    const sent: string[] = [await sendError(server, "Before")];
    for (const [name, days] of [
      ["Tomorrow", 1],
      ["Yesterday", -1],
      ["Again", 0],
    ] as const) {
      clock.setAhead(days * DAY_MS);
      sent.push(await sendError(server, name));
      sent.push(await sendError(server, "Before"));
    }
    for (const eventId of sent) await waitForEvent(server, eventId);
    const counts = (await listIssues(server)).map(({ title, count }) => `${title.split(":")[0]} ${count}`);
    expect(counts.sort()).toEqual(["AgainError 1", "BeforeError 4", "TomorrowError 1", "YesterdayError 1"]);
    // The sender's clock was right: it counts unless the event would lie in the server's future.
    const seen = await getJson<Array<{ title: string; firstSeen: string }>>(
      server,
      "/projects/default/shop/issues/?query=",
    );
    const at = (name: string) => Date.parse(seen.find(({ title }) => title.startsWith(name))?.firstSeen ?? "");
    const days = (at("Tomorrow") - at("Yesterday")) / DAY_MS;
    expect(Math.round(days)).toBe(1);
    const page = await visitor.open("/issues");
    expect([page.status, page.html.includes("Tomorrow")]).toEqual([200, true]);
    const ready = await fetch(`${server.url}/readyz`);
    expect(await ready.json()).toEqual({ status: "ready" });
    expect(server.logLines().filter(({ level }) => level >= 50)).toEqual([]);
  });
});

describe("a data folder that becomes read-only", () => {
  test("is said so, pages go on, and nothing that was answered 200 is lost", { timeout: 240_000 }, async (context) => {
    using disk = mountBreakableDisk(200);
    if (disk === null) return context.skip("this machine cannot mount a disk image that breaks");
    await using server = await startServer({ dataDir: join(disk.dir, "data") });
    const before = await sendError(server, "Before");
    await waitForEvent(server, before);
    const visitor = await signIn(server);
    disk.makeReadOnly();
    const answer = await waitFor("a refusal", async () => {
      const refused = await sendEnvelope(server, toEventEnvelope(makeError("Refused")).envelope);
      return refused.status === 200 ? null : refused;
    });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { failing: expect.arrayContaining(["journal"]) }]);
    expect((await visitor.open("/issues")).html).toContain("Before");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const written = server.logLines().find(({ msg }) => msg.startsWith("appends to the journal failed"));
    expect(JSON.stringify(written)).toContain("EROFS");
  });
});
