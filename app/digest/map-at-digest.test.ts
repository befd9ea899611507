import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { serveSymbolicator } from "../../tests/support/serve-symbolicator.ts";
import { recordedBundle, recordedFrames } from "../../tests/support/upload-maps.ts";
import { DIGEST_STORES_MODULE, type DigestStoresOptions } from "../server/open-digest-stores.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import { optionsOf } from "../symbolicate/fixtures/map-stacks.ts";
import { UploadFixtures } from "../symbolicate/fixtures/memory-stores.ts";
import { reportFailure } from "../symbolicate/start-report.ts";
import { symbolicateEvent } from "../symbolicate/symbolicate-event.ts";
import type { Symbolicator } from "../symbolicate/symbolicator-client.ts";
import { AttemptLog } from "./attempt-log.ts";
import { type BatchReport, DEFAULT_DIGEST_LIMITS, DigestLoop, type DigestLoopOptions } from "./digest-loop.ts";
import { EventMapper } from "./event-mapper.ts";
import { mapOnThisThread } from "./map-stage.ts";
import { MapThreads } from "./map-threads.ts";
import { SetAsideFolder } from "./set-aside-folder.ts";

type Symbolicate = Symbolicator["symbolicate"];

const fails: Symbolicate = async (event) => ({
  event,
  isChanged: false,
  report: reportFailure(event, "timed_out"),
  wanted: [],
});

/** A symbolicator that knows the recorded bundle, which state knows as uploaded. */
async function upload({ stores, projectId }: DigestFolder): Promise<Symbolicate> {
  const uploads = new UploadFixtures();
  const releases = [{ version: "shop@1", dist: null }];
  const saved = await uploads.upload({ bytes: recordedBundle("rolldown"), releases });
  const { id: _, fileCount: __, ...rest } = saved;
  await stores.state.artifacts.saveArtifactBundle(EVERYTHING, { ...rest, projectIds: [projectId] }, []);
  return async (event) => await symbolicateEvent(event, optionsOf(uploads));
}

async function appendMinified(folder: DigestFolder, eventId: string): Promise<void> {
  const exception = { type: "Error", value: "x", stacktrace: { frames: recordedFrames("rolldown") } };
  const event = { platform: "javascript", release: "shop@1", exception: { values: [exception] } };
  await folder.appendEnvelope(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`, eventId);
}

function startThreads({ paths, log }: DigestFolder, symbolicate: Symbolicate, width: number): MapThreads {
  const threads = new MapThreads({
    width,
    storesModule: DIGEST_STORES_MODULE,
    storesOptions: { statePath: paths.state, payloadDir: paths.payloads } satisfies DigestStoresOptions,
    hasSymbolicator: true,
    groupingMoves: new Map(),
    log,
    onDeath(error) {
      throw error;
    },
  });
  for (let index = 0; index < width; index++) threads.attachSymbolicator(index, serveSymbolicator(symbolicate));
  return threads;
}

/** Until everything is applied, or until the event store dies with the first batch. */
async function runDigest(
  folder: DigestFolder,
  symbolicate: Symbolicate,
  { width = 1, maxRecords = 1000, dies = false }: { width?: number; maxRecords?: number; dies?: boolean } = {},
): Promise<BatchReport[]> {
  const { journal, events, stores, paths, log } = folder;
  const reports: BatchReport[] = [];
  const threads = width === 1 ? null : startThreads(folder, symbolicate, width);
  const real: DigestLoopOptions["stores"] = { state: stores.state, payloads: stores.payloads, events };
  const loop = new DigestLoop({
    lanes: [
      {
        journalId: journal.id,
        journalDir: paths.journal,
        firstSequence: 0,
        attempts: new AttemptLog(join(paths.setAside, "attempt")),
      },
    ],
    stores: {
      ...real,
      events: {
        appliedSequence: (journalId) => events.appliedSequence(journalId),
        appliedAhead: (journalId) => events.appliedAhead(journalId),
        findExisting: (keys) => events.findExisting(keys),
        append: async (batch) => {
          if (!dies) return await events.append(batch);
          loop.close();
          throw new Error("the process dies");
        },
      },
    },
    mapStage:
      threads ??
      mapOnThisThread(new EventMapper({ symbolicator: { symbolicate }, artifacts: stores.state.artifactIndex })),
    isDataError: stores.isDataError,
    setAside: await SetAsideFolder.open(paths.setAside),
    limits: { ...DEFAULT_DIGEST_LIMITS, maxRecords, minIntervalMs: 0, minRetryMs: 1, maxRetryMs: 5 },
    log,
    onStart: () => {},
    onBatch(report) {
      reports.push(report);
      if (report.upTo >= journal.durable.sequence) loop.close();
    },
  });
  loop.setDurable([journal.durable.sequence]);
  await loop.run();
  await threads?.close();
  return reports;
}

const FIRST = "1".padStart(32, "0");
const SECOND = "2".padStart(32, "0");

async function listIssues({ stores }: DigestFolder) {
  const query = { from: null, to: null, sort: "last_seen", cursor: null, limit: 100 } as const;
  return (await stores.state.issues.listIssues(EVERYTHING, { ...query })).issues;
}

describe.each([1, 3])("mapping at digest, on %i threads", (width) => {
  test("an issue of readable frames is made at once", async () => {
    await using folder = await openDigestFolder();
    const symbolicate = await upload(folder);
    await appendMinified(folder, FIRST);
    await runDigest(folder, symbolicate, { width });
    expect(await folder.stores.state.reprocessing.listLateIssues(10)).toEqual([]);
    expect((await listIssues(folder)).map(({ culprit }) => culprit)).toEqual([expect.stringContaining("fail")]);
    expect(await folder.stores.state.artifactIndex.listMissingSourceMaps({ projectIds: [folder.projectId] })).toEqual(
      [],
    );
  });

  test("an event whose maps are late is stored all the same, and its issue is told", async () => {
    await using folder = await openDigestFolder();
    await upload(folder);
    await appendMinified(folder, FIRST);
    await runDigest(folder, fails, { width });
    const [issue] = await listIssues(folder);
    expect(await folder.stores.state.reprocessing.listLateIssues(10)).toEqual([{ issueId: issue?.id, notedCount: 1 }]);
    expect((await folder.events.getEvent(FIRST, projects(1, 2, 3)))?.issueId).toBe(issue?.id);
    const wanted = await folder.stores.state.artifactIndex.listMissingSourceMaps({ projectIds: [folder.projectId] });
    expect(wanted).toMatchObject([{ release: "shop@1", eventCount: 1, issueId: issue?.id }]);
  });

  test("a batch that is read again after a crash keeps its issues, though its maps are there by then", async () => {
    await using folder = await openDigestFolder();
    const symbolicate = await upload(folder);
    await appendMinified(folder, FIRST);
    await runDigest(folder, fails, { width, dies: true });
    const [issue, ...others] = await listIssues(folder);
    expect([issue?.eventCount, others]).toEqual([1, []]);
    expect(await folder.stores.state.reprocessing.listLateIssues(10)).toEqual([{ issueId: issue?.id, notedCount: 1 }]);
    await appendMinified(folder, SECOND);
    await runDigest(folder, symbolicate, { width });
    expect((await folder.events.getEvent(FIRST, projects(1, 2, 3)))?.issueId).toBe(issue?.id);
    const issues = await listIssues(folder);
    expect(issues.map(({ eventCount }) => eventCount)).toEqual([1, 1]);
    expect((await folder.events.getEvent(SECOND, projects(1, 2, 3)))?.issueId).not.toBe(issue?.id);
  });

  test("events that are mapped while others wait keep the order of the journal", async () => {
    await using folder = await openDigestFolder();
    const symbolicate = await upload(folder);
    // The first to be asked for is answered last.
    const asked: Array<() => void> = [];
    const slowly: Symbolicate = async (event, options) => {
      await new Promise<void>((resolve) => {
        asked.push(resolve);
        setTimeout(() => asked.pop()?.(), 30);
      });
      return await symbolicate(event, options);
    };
    const ids = Array.from({ length: 6 }, (_, index) => (index + 1).toString(16).padStart(32, "0"));
    for (const id of ids) await appendMinified(folder, id);
    await runDigest(folder, slowly, { width, maxRecords: 2 });
    const { events } = await folder.events.listEvents(
      { projectIds: projects(folder.projectId), from: null, to: null },
      { cursor: null, limit: 100 },
    );
    expect(events.map(({ sequence, eventId }) => [sequence, eventId]).sort()).toEqual(
      ids.map((id, sequence) => [sequence, id]),
    );
    const [issue, ...others] = await listIssues(folder);
    expect([issue?.eventCount, others]).toEqual([6, []]);
  });
});
