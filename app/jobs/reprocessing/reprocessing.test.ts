import { describe, expect, test } from "vitest";
import { PassFolder, type RunningPass } from "../../../tests/support/pass-folder.ts";
import { projects } from "../../stores/event-store-contract/fixture.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import { reportFailure, reportNothing } from "../../symbolicate/start-report.ts";

const open = () => PassFolder.open();
const isDone = (job: RunningPass) => expect.poll(() => job.progress().endedAt).not.toBeNull();

describe("the pass over stored events", () => {
  test("joins what a missing map had split, tells pages, and wants nothing more", async () => {
    await using pass = await open();
    await pass.store("rolldown", 3);
    await pass.store("terser", 2);
    const [larger, smaller] = await pass.issues();
    await pass.upload("rolldown");
    await pass.upload("terser");
    const job = pass.start();
    await isDone(job);
    const issues = await pass.issues();
    expect(issues.map(({ id, eventCount }) => [id, eventCount])).toEqual([[larger?.id, 5]]);
    expect(await pass.storedCount(larger?.id ?? 0)).toBe(5);
    expect(await pass.storedCount(smaller?.id ?? 0)).toBe(0);
    expect(await pass.wanted()).toEqual([]);
    expect(await pass.folder.stores.state.reprocessing.listEventMoves(10)).toEqual([]);
    expect(job.progress()).toMatchObject({ isRunning: false, joinedIssueCount: 1, problem: null });
    const changed = pass.messages.flatMap((message) => (message.kind === "issues" ? message.changes : []));
    expect(new Set(changed.map(({ issueId }) => issueId))).toEqual(new Set([larger?.id, smaller?.id]));
  });

  test("goes over large issues in steps, and the largest group keeps the issue", async () => {
    await using pass = await open();
    await pass.store("rolldown", 220);
    await pass.store("terser", 110);
    await pass.upload("rolldown");
    await pass.upload("terser");
    await isDone(pass.start());
    const issues = await pass.issues();
    expect(issues.map(({ eventCount }) => eventCount)).toEqual([330]);
    expect(await pass.storedCount(issues[0]?.id ?? 0)).toBe(330);
  });

  test("keeps wanting what an upload did not bring, and is at it again with the next", async () => {
    await using pass = await open();
    await pass.store("rolldown");
    await pass.store("terser", 1, { release: "shop@both" });
    await pass.upload("rolldown", "shop@both");
    const job = pass.start();
    await isDone(job);
    expect(job.progress()).toMatchObject({ doneEventCount: 1, mappedEventCount: 0 });
    expect((await pass.wanted()).map(({ release }) => release).sort()).toEqual(["shop@both", "shop@rolldown"]);
    await pass.upload("terser", "shop@both");
    await expect.poll(() => job.progress().mappedEventCount).toBe(1);
    await expect.poll(async () => (await pass.wanted()).map(({ release }) => release)).toEqual(["shop@rolldown"]);
  });

  test("an event that the symbolicator fails on stays where it is, and is still wanted", async () => {
    await using pass = await open();
    await pass.store("rolldown", 2);
    await pass.upload("rolldown");
    const works = pass.symbolicate;
    pass.symbolicate = async (event) => ({
      event,
      isChanged: false,
      report: reportFailure(event, "thread_died"),
      wanted: [],
    });
    const job = pass.start();
    await isDone(job);
    expect((await pass.issues()).map(({ eventCount }) => eventCount)).toEqual([2]);
    expect(await pass.wanted()).toHaveLength(1);
    pass.symbolicate = works;
    await pass.store("rolldown", 1, { isLate: true });
    await expect.poll(async () => (await pass.issues())[0]?.culprit).toContain("fail");
    await expect.poll(() => pass.wanted()).toEqual([]);
  });

  test("waits while the digest has much to do, and for records that were accepted before the upload", async () => {
    await using pass = await open();
    await pass.store("rolldown", 2);
    await pass.upload("rolldown");
    pass.backlog = 1_000_000;
    const job = pass.start();
    await expect.poll(() => job.progress().isRunning).toBe(true);
    expect(job.progress().doneEventCount).toBe(0);
    pass.backlog = 0;
    await isDone(job);
    expect(job.progress().mappedEventCount).toBe(2);

    await job.close();

    // Accepted, but not digested yet, when the next upload comes.
    const journal = { id: pass.folder.journal.id, firstSequence: 0, durable: { sequence: 5 } };
    const second = pass.start({ journals: [journal] });
    await pass.upload("terser");
    // Time enough for a pass that would not wait.
    await new Promise((resolve) => setTimeout(resolve, 200));
    // Before they are stored: it may begin as soon as they are.
    expect(second.progress().startedAt).toBeNull();
    await pass.store("terser", 3);
    await isDone(second);
    expect((await pass.issues()).map(({ eventCount }) => eventCount)).toEqual([5]);
  });

  test("a second start looks at nothing again, and finishes moves that a crash left", async () => {
    await using pass = await open();
    const [eventId = ""] = await pass.store("rolldown", 1);
    await pass.store("terser", 1, { value: "another" });
    await pass.upload("rolldown");
    const first = pass.start();
    await isDone(first);
    await first.close();
    const { state } = pass.folder.stores;
    const [to, from] = await pass.issues();
    const [hash] = await state.issues.listIssueHashes(EVERYTHING, from?.id ?? 0);
    // Counted with the other issue, and the process dies before the event store knows.
    await state.reprocessing.regroupEvents({
      fromIssueId: to?.id ?? 0,
      at: Date.now(),
      groups: [
        {
          hashes: [hash?.hash ?? ""],
          grouping: hash?.grouping as NonNullable<typeof hash>["grouping"],
          headline: {
            title: "t",
            type: null,
            value: "",
            culprit: "",
            level: "error",
            platform: "javascript",
            logger: null,
            isUnhandled: false,
          },
          events: [{ eventId, occurredAt: Date.now(), environment: null, userKey: null, release: null }],
        },
      ],
    });
    expect(await state.reprocessing.listEventMoves(10)).toHaveLength(1);
    const second = pass.start();
    await expect.poll(() => state.reprocessing.listEventMoves(10)).toEqual([]);
    expect((await pass.folder.events.getEvent(eventId, projects(1, 2, 3)))?.issueId).toBe(from?.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(second.progress()).toMatchObject({ startedAt: null, doneEventCount: 0 });
  });

  test("knows an event by its mapped frames that was stored mapped, with the issue of an earlier reading", async () => {
    await using pass = await open();
    await pass.store("rolldown");
    const [raw] = await pass.issues();
    const [rawHash] = await pass.folder.stores.state.issues.listIssueHashes(EVERYTHING, raw?.id ?? 0);
    await pass.upload("rolldown");
    // As a batch that is read again leaves it: the issue that it had before its map was there.
    await pass.store("rolldown", 1, { isMapped: true, hashes: [rawHash?.hash ?? ""] });
    const issueOf = async () => (await pass.issues()).map(({ id, eventCount }) => [id, eventCount]);
    expect(await issueOf()).toEqual([[raw?.id, 2]]);
    // The one that came first is not mapped: it stays, and would be all that the issue is known by.
    pass.symbolicate = async (event) => ({ event, isChanged: false, report: reportNothing(event), wanted: [] });
    await isDone(pass.start());
    expect(await issueOf()).toEqual([[raw?.id, 2]]);
    expect(await pass.folder.stores.state.issues.listIssueHashes(EVERYTHING, raw?.id ?? 0)).toHaveLength(2);
  });

  test("ends when it is told to, in the middle of an issue", async () => {
    await using pass = await open();
    await pass.store("rolldown", 50);
    await pass.upload("rolldown");
    let asked = 0;
    const works = pass.symbolicate;
    const job = pass.start();
    pass.symbolicate = async (event, options) => {
      if (++asked === 10) void job.close();
      return await works(event, options);
    };
    await expect.poll(() => asked).toBeGreaterThanOrEqual(10);
    await job.close();
    expect(asked).toBe(10);
    expect(await pass.wanted()).toHaveLength(1);
  });
});
