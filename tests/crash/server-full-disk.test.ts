import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MIB } from "../../app/domain/bytes.ts";
import { FULL_DISK } from "../../app/domain/full-disk.ts";
import { createRandom, type Random } from "../../bench/random.ts";
import { listIssues, projectIdOf, send, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { mountSmallDisk } from "../support/mount-small-disk.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { findContradictions, findItemContradictions } from "./find-contradictions.ts";
import { readBacklog } from "./read-backlog.ts";
import { readStoredItems } from "./read-stored-items.ts";
import { type LoadOptions, startLoad } from "./send-load.ts";
import { createSentBook, type SentBook } from "./sent-book.ts";

const DISK_BYTES = 256 * MIB;
const SKIPPED = "mounting a tmpfs needs rights that this process has not";

/** Leaves so many bytes of the disk. */
function fillDisk(dir: string, freeBytes: number): void {
  const path = join(dir, "ballast");
  rmSync(path, { force: true });
  const { bavail, bsize } = statfsSync(dir);
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

function freeDisk(dir: string): void {
  rmSync(join(dir, "ballast"));
}

function start(dir: string, env: Record<string, string> = {}): Promise<TestServer> {
  // Its own reports would be refused as well, and be part of the backlog that is waited for.
  return startServer({ dataDir: join(dir, "data"), env: { SENTRY_DSN: "off", ...env } });
}

function loadOf(server: TestServer, book: SentBook, random: Random): LoadOptions {
  return { url: server.url, dsn: server.dsn ?? "", book, random, past: [], senderCount: 6, pauseMs: 10 };
}

async function expectReadsGoOn(server: TestServer, visitor: Visitor, eventId: string): Promise<void> {
  for (const path of ["/issues", `/events/${eventId}`, "/arrived", "/settings"])
    expect((await visitor.open(path)).status, path).toBe(200);
  expect(await listIssues(server)).not.toEqual([]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
}

/** What people change is refused with the reason as soon as the state has no room for it, and is no fault of the server. */
async function expectChangesSayFull(server: TestServer, visitor: Visitor): Promise<void> {
  const [issue] = await listIssues(server);
  const text = "a comment that needs room ".repeat(200);
  const refused = await waitFor("a refusal", async () => {
    const response = await send(server, "POST", `/issues/${issue?.id}/comments/`, { text });
    return response.status !== 201 && response;
  });
  expect([refused.status, await refused.json()]).toEqual([507, { detail: FULL_DISK }]);
  const signIn = await visitor.post("/sign-in", { ...server.owner });
  expect([302, 507]).toContain(signIn.status);
}

async function storeEvent(server: TestServer, message: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId);
  return eventId;
}

/** Whether an event is taken now; it is entered into the book then. */
async function trySending(server: TestServer, book: SentBook): Promise<boolean> {
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const { envelope } = toEventEnvelope({ message: "after", extra: { marker: `marker of ${eventId}` } }, eventId);
  const { status } = await sendEnvelope(server, envelope);
  if (status !== 200) return false;
  book.events.set(eventId, { eventId, title: "after", hasAttachment: false, answeredCount: 1, unansweredCount: 0 });
  return true;
}

async function expectNoContradiction(server: TestServer, book: SentBook, random: Random): Promise<void> {
  await waitFor("the backlog", async () => (await readBacklog(server)) === 0);
  const verdict = await findContradictions(server, book, { random, sampleCount: 100 });
  await server.stop();
  const items = await readStoredItems(server.dataDir, Number(projectIdOf(server)));
  expect([...verdict.contradictions, ...findItemContradictions(book, items, verdict)]).toEqual([]);
}

test("while less of the disk is free than the stores need, new events are refused and everything else goes on", async (context) => {
  using disk = mountSmallDisk(DISK_BYTES);
  if (disk === null) return context.skip(SKIPPED);
  await using server = await start(disk.dir, { MIN_FREE_DISK_BYTES: String(64 * MIB) });
  const visitor = await signIn(server);
  const first = await storeEvent(server, "before");

  fillDisk(disk.dir, 32 * MIB);
  const refused = await waitFor("a refusal", async () => {
    const response = await sendEnvelope(server, toEventEnvelope({ message: "too late" }).envelope);
    return response.status !== 200 && response;
  });
  expect([429, 503]).toContain(refused.status);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  if (refused.status === 429) expect(refused.headers.get("x-sentry-rate-limits")).toMatch(/^\d+:/);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(((await refused.json()) as { detail: string }).detail).toMatch(/disk/);
  await expectReadsGoOn(server, visitor, first);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "unavailable", failing: ["journal"] }]);
  // What people change is not held up: the guard leaves room for it.
  const [issue] = await listIssues(server);
  expect((await send(server, "PUT", `/issues/${issue?.id}/`, { status: "resolved" })).status).toBe(200);

  freeDisk(disk.dir);
  await waitFor(
    "events to be taken again",
    async () => (await sendEnvelope(server, toEventEnvelope({ message: "again" }).envelope)).status === 200,
  );
  await storeEvent(server, "afterwards");
});

test("a disk without a byte left loses nothing that was answered 200, and the server goes on by itself when there is space", async (context) => {
  using disk = mountSmallDisk(DISK_BYTES);
  if (disk === null) return context.skip(SKIPPED);
  const random = createRandom(1);
  const book = createSentBook();
  await using server = await start(disk.dir);
  const visitor = await signIn(server);

  const before = startLoad(loadOf(server, book, random));
  await waitFor("events", async () => [...book.events.values()].filter((sent) => sent.answeredCount > 0).length > 100);
  await before.stop();
  expect(book.refusals).toEqual([]);
  const eventId = [...book.events.keys()][0] ?? "";
  await waitForEvent(server, eventId);

  fillDisk(disk.dir, 3 * MIB);
  const load = startLoad({ ...loadOf(server, book, random), pauseMs: 0 });
  await waitFor("refusals", async () => book.refusals.length >= 20);
  await expectReadsGoOn(server, visitor, eventId);
  // Now and then the digest is done with a segment, and its room takes some more events.
  const unavailable = await waitFor("the journal to fail", async () => {
    const ready = await fetch(`${server.url}/readyz`);
    return ready.status === 503 && ((await ready.json()) as unknown);
  });
  expect(unavailable).toEqual({ status: "unavailable", failing: ["journal"] });
  await expectChangesSayFull(server, visitor);
  await sleep(500);
  await load.stop();
  for (const { status, retryAfter } of book.refusals) {
    expect([429, 503]).toContain(status);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }

  freeDisk(disk.dir);
  await waitFor("events to be taken again", () => trySending(server, book));
  await expectNoContradiction(server, book, random);
});

test("a server that is killed while its disk is full starts again when there is space, with everything that was answered 200", async (context) => {
  using disk = mountSmallDisk(DISK_BYTES);
  if (disk === null) return context.skip(SKIPPED);
  const random = createRandom(2);
  const book = createSentBook();
  const first = await start(disk.dir);
  fillDisk(disk.dir, 3 * MIB);
  const load = startLoad({ ...loadOf(first, book, random), pauseMs: 0 });
  await waitFor("refusals", async () => book.refusals.length >= 20);
  await first.kill9();
  await load.stop();

  // On the full disk it may start or say why it cannot; it must not make things worse.
  const meanwhile = await start(disk.dir).catch((error: Error) => error);
  if (meanwhile instanceof Error) expect(meanwhile.message).toMatch(/full|space|ENOSPC/i);
  else await meanwhile.kill9();

  freeDisk(disk.dir);
  expect(existsSync(join(disk.dir, "data", "journal"))).toBe(true);
  await using second = await start(disk.dir);
  await waitFor("events to be taken again", () => trySending(second, book));
  await expectNoContradiction(second, book, random);
});
