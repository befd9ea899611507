import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { recordedBundle, recordedFrames } from "../../tests/support/upload-maps.ts";
import { optionsOf } from "../symbolicate/fixtures/map-stacks.ts";
import { UploadFixtures } from "../symbolicate/fixtures/memory-stores.ts";
import { reportFailure } from "../symbolicate/start-report.ts";
import { symbolicateEvent } from "../symbolicate/symbolicate-event.ts";
import type { Symbolicator } from "../symbolicate/symbolicator-client.ts";
import { AttemptLog } from "./attempt-log.ts";
import { type BatchReport, DEFAULT_DIGEST_LIMITS, DigestLoop, type DigestLoopOptions } from "./digest-loop.ts";
import { EventMapper } from "./event-mapper.ts";
import { mapOnThisThread } from "./map-stage.ts";
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
  await stores.state.artifacts.saveArtifactBundle({ ...rest, projectIds: [projectId] }, []);
  return async (event) => await symbolicateEvent(event, optionsOf(uploads));
}

async function appendMinified(folder: DigestFolder, eventId: string): Promise<void> {
  const exception = { type: "Error", value: "x", stacktrace: { frames: recordedFrames("rolldown") } };
  const event = { platform: "javascript", release: "shop@1", exception: { values: [exception] } };
  await folder.appendEnvelope(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`, eventId);
}

/** Until everything is applied, or until the event store dies with the first batch. */
async function runDigest(
  folder: DigestFolder,
  symbolicate: Symbolicate,
  { dies = false }: { dies?: boolean } = {},
): Promise<BatchReport[]> {
  const { journal, events, stores, paths, log } = folder;
  const reports: BatchReport[] = [];
  const real: DigestLoopOptions["stores"] = { state: stores.state, payloads: stores.payloads, events };
  const loop = new DigestLoop({
    journalId: journal.id,
    journalDir: paths.journal,
    stores: {
      ...real,
      events: {
        appliedSequence: (journalId) => events.appliedSequence(journalId),
        findExisting: (keys) => events.findExisting(keys),
        append: async (batch) => {
          if (!dies) return await events.append(batch);
          loop.close();
          throw new Error("the process dies");
        },
      },
    },
    mapStage: mapOnThisThread(new EventMapper({ symbolicator: { symbolicate }, artifacts: stores.state.artifacts })),
    isDataError: stores.isDataError,
    setAside: await SetAsideFolder.open(paths.setAside, journal.id),
    attempts: new AttemptLog(join(paths.setAside, "attempt")),
    limits: { ...DEFAULT_DIGEST_LIMITS, minIntervalMs: 0, minRetryMs: 1, maxRetryMs: 5 },
    log,
    onStart: () => {},
    onBatch(report) {
      reports.push(report);
      if (report.upTo >= journal.durable.sequence) loop.close();
    },
  });
  loop.setDurable(journal.durable.sequence);
  await loop.run();
  return reports;
}

const FIRST = "1".padStart(32, "0");
const SECOND = "2".padStart(32, "0");

async function listIssues({ stores }: DigestFolder) {
  const query = { projectIds: null, from: null, to: null, sort: "last_seen", cursor: null, limit: 100 } as const;
  return (await stores.state.issues.listIssues({ ...query })).issues;
}

describe("mapping at digest", () => {
  test("an issue of readable frames is made at once", async () => {
    await using folder = await openDigestFolder();
    const symbolicate = await upload(folder);
    await appendMinified(folder, FIRST);
    await runDigest(folder, symbolicate);
    expect(await folder.stores.state.reprocessing.listLateIssues(10)).toEqual([]);
    expect((await listIssues(folder)).map(({ culprit }) => culprit)).toEqual([expect.stringContaining("fail")]);
    expect(await folder.stores.state.artifacts.listWantedSourceMaps({ projectIds: [folder.projectId] })).toEqual([]);
  });

  test("an event whose maps are late is stored all the same, and its issue is told", async () => {
    await using folder = await openDigestFolder();
    await upload(folder);
    await appendMinified(folder, FIRST);
    await runDigest(folder, fails);
    const [issue] = await listIssues(folder);
    expect(await folder.stores.state.reprocessing.listLateIssues(10)).toEqual([{ issueId: issue?.id, notedCount: 1 }]);
    expect((await folder.events.getEvent(FIRST, null))?.issueId).toBe(issue?.id);
    const wanted = await folder.stores.state.artifacts.listWantedSourceMaps({ projectIds: [folder.projectId] });
    expect(wanted).toMatchObject([{ release: "shop@1", eventCount: 1, issueId: issue?.id }]);
  });

  test("a batch that is read again after a crash keeps its issues, though its maps are there by then", async () => {
    await using folder = await openDigestFolder();
    const symbolicate = await upload(folder);
    await appendMinified(folder, FIRST);
    await runDigest(folder, fails, { dies: true });
    const [issue, ...others] = await listIssues(folder);
    expect([issue?.eventCount, others]).toEqual([1, []]);
    expect(await folder.stores.state.reprocessing.listLateIssues(10)).toEqual([{ issueId: issue?.id, notedCount: 1 }]);
    await appendMinified(folder, SECOND);
    await runDigest(folder, symbolicate);
    expect((await folder.events.getEvent(FIRST, null))?.issueId).toBe(issue?.id);
    const issues = await listIssues(folder);
    expect(issues.map(({ eventCount }) => eventCount)).toEqual([1, 1]);
    expect((await folder.events.getEvent(SECOND, null))?.issueId).not.toBe(issue?.id);
  });
});
