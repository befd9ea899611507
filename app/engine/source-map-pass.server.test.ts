import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { recordedBundle, recordedFrames } from "../../tests/support/upload-maps.ts";
import { commitBatch } from "../digest/commit-batch.ts";
import { finishEvent } from "../digest/digest-event-item.ts";
import { digestRecord, emptyDigested } from "../digest/digest-records.ts";
import type { LiveMessage } from "../domain/live-message.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import type { Log } from "../log.server.ts";
import type { WantedSourceMap } from "../stores/artifact-store.ts";
import { optionsOf } from "../symbolicate/fixtures/map-stacks.ts";
import { UploadFixtures } from "../symbolicate/fixtures/memory-stores.ts";
import { reportFailure, reportNothing } from "../symbolicate/start-report.ts";
import { symbolicateEvent } from "../symbolicate/symbolicate-event.ts";
import type { Symbolicator } from "../symbolicate/symbolicator-client.ts";
import { regroupStoredEvent } from "./map-stored-event.ts";
import { type SourceMapPassJob, type SourceMapPassParts, startSourceMapPass } from "./source-map-pass.server.ts";
import { SourceMapPassMarker } from "./source-map-pass-marker.ts";

type Bundler = "rolldown" | "terser";

const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} } as unknown as Log;
const jobs: SourceMapPassJob[] = [];
afterEach(async () => {
  for (const job of jobs.splice(0)) await job.close();
});

/** A folder with stored events, and uploads that the state store and a symbolicator know alike. */
class PassFolder {
  readonly folder: DigestFolder;
  readonly uploads = new UploadFixtures();
  readonly messages: LiveMessage[] = [];
  readonly #temp = makeTempFolder();
  readonly marker = new SourceMapPassMarker(join(this.#temp.path, "mark.json"));
  #sequence = 0;
  backlog = 0;
  symbolicate: Symbolicator["symbolicate"] = async (event, { projectId }) =>
    await symbolicateEvent(event, { ...optionsOf(this.uploads), projectId });

  constructor(folder: DigestFolder) {
    this.folder = folder;
  }

  /** Digested as of a project without uploads. */
  async store(
    bundler: Bundler,
    count = 1,
    change: { value?: string; release?: string; isMapped?: boolean; hashes?: string[] } = {},
  ): Promise<string[]> {
    const { journal, stores, events, projectId } = this.folder;
    const digested = emptyDigested();
    const eventIds: string[] = [];
    const from = this.#sequence;
    for (let index = 0; index < count; index++) {
      const eventId = this.#sequence.toString(16).padStart(32, "0");
      eventIds.push(eventId);
      const frames = recordedFrames(bundler);
      const event = {
        platform: "javascript",
        release: change.release ?? `shop@${bundler}`,
        timestamp: Date.now() / 1000 - 60 + this.#sequence / 1000,
        exception: { values: [{ type: "Error", value: change.value ?? "x", stacktrace: { frames } }] },
      };
      const body = Buffer.from(`{}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
      const entry = encodeJournalEntry({
        kind: "envelope",
        projectId,
        keyId: 1,
        receivedAt: Date.now(),
        eventId,
        clientAddress: null,
        userAgent: null,
        client: null,
        dropped: [],
        body,
      } as Parameters<typeof encodeJournalEntry>[0]);
      const record = { sequence: this.#sequence++, bytes: Buffer.concat(entry) };
      digestRecord(record, digested, () => change.isMapped === true);
    }
    for (const unmapped of digested.unmapped.splice(0)) {
      const mapped = await this.symbolicate(unmapped.event, { projectId });
      const { occurrence, ...event } = finishEvent(unmapped, mapped);
      digested.events.push({ ...event, occurrence: { ...occurrence, hashes: change.hashes ?? occurrence.hashes } });
    }
    await commitBatch({ ...stores, events }, digested, {
      journalId: journal.id,
      upTo: this.#sequence,
      applied: { state: from, events: from },
    });
    return eventIds;
  }

  async upload(bundler: Bundler, release = `shop@${bundler}`): Promise<void> {
    const bundle = { bytes: recordedBundle(bundler), releases: [{ version: release, dist: null }] };
    const saved = await this.uploads.upload(bundle);
    const { id: _, fileCount: __, ...rest } = saved;
    const files = await this.uploads.artifacts.listArtifactFiles(saved.id);
    await this.folder.stores.state.saveArtifactBundle(
      { ...rest, projectIds: [this.folder.projectId] },
      files.map(({ bundleId: ___, ...file }) => file),
    );
  }

  start(change: Partial<SourceMapPassParts> = {}): SourceMapPassJob {
    const { stores, events, journal } = this.folder;
    const job = startSourceMapPass({
      state: stores.state,
      events,
      payloads: stores.payloads,
      regroup: (stored, options) =>
        regroupStoredEvent({ symbolicate: (...asked) => this.symbolicate(...asked) }, stored, options),
      journal: { id: journal.id, durable: { sequence: this.#sequence } } as SourceMapPassParts["journal"],
      backlog: () => ({ records: this.backlog }),
      feed: { publish: (message) => void this.messages.push(message) },
      marker: this.marker,
      log: quiet,
      now: Date.now,
      pollMs: 5,
      ...change,
    });
    jobs.push(job);
    return job;
  }

  async issues() {
    const query = { projectIds: null, from: null, to: null, sort: "events", cursor: null, limit: 100 } as const;
    return (await this.folder.stores.state.listIssues({ ...query })).issues;
  }

  async storedCount(issueId: number): Promise<number> {
    const filter = { projectIds: [this.folder.projectId], issueId, from: null, to: null };
    return (await this.folder.events.count(filter)).events;
  }

  wanted(): Promise<WantedSourceMap[]> {
    return this.folder.stores.state.listWantedSourceMaps({ projectIds: [this.folder.projectId] });
  }

  async [Symbol.asyncDispose]() {
    for (const job of jobs.splice(0)) await job.close();
    await this.folder[Symbol.asyncDispose]();
    this.#temp[Symbol.dispose]();
  }
}

const open = async () => new PassFolder(await openDigestFolder());
const isDone = (job: SourceMapPassJob) => expect.poll(() => job.progress().endedAt).not.toBeNull();

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
    expect(await pass.folder.stores.state.listEventMoves(10)).toEqual([]);
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
    job.noteMappedLate((await pass.issues()).map(({ id }) => id));
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
    const journal = { id: pass.folder.journal.id, durable: { sequence: 5 } } as SourceMapPassParts["journal"];
    const second = pass.start({ journal });
    await pass.upload("terser");
    // Time enough for a pass that would not wait.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await pass.store("terser", 3);
    expect(second.progress().startedAt).toBeNull();
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
    const [hash] = await state.listIssueHashes(from?.id ?? 0);
    // Counted with the other issue, and the process dies before the event store knows.
    await state.regroupEvents({
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
    expect(await state.listEventMoves(10)).toHaveLength(1);
    const second = pass.start();
    await expect.poll(() => state.listEventMoves(10)).toEqual([]);
    expect((await pass.folder.events.getEvent(eventId, null))?.issueId).toBe(from?.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(second.progress()).toMatchObject({ startedAt: null, doneEventCount: 0 });
  });

  test("knows an event by its mapped frames that was stored mapped, with the issue of an earlier reading", async () => {
    await using pass = await open();
    await pass.store("rolldown");
    const [raw] = await pass.issues();
    const [rawHash] = await pass.folder.stores.state.listIssueHashes(raw?.id ?? 0);
    await pass.upload("rolldown");
    // As a batch that is read again leaves it: the issue that it had before its map was there.
    await pass.store("rolldown", 1, { isMapped: true, hashes: [rawHash?.hash ?? ""] });
    const issueOf = async () => (await pass.issues()).map(({ id, eventCount }) => [id, eventCount]);
    expect(await issueOf()).toEqual([[raw?.id, 2]]);
    // The one that came first is not mapped: it stays, and would be all that the issue is known by.
    pass.symbolicate = async (event) => ({ event, isChanged: false, report: reportNothing(event), wanted: [] });
    await isDone(pass.start());
    expect(await issueOf()).toEqual([[raw?.id, 2]]);
    expect(await pass.folder.stores.state.listIssueHashes(raw?.id ?? 0)).toHaveLength(2);
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
