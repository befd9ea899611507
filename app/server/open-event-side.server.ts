import { join } from "node:path";
import type { Engine } from "../access/engine.ts";
import type { Config } from "../config.server.ts";
import type { DataPaths } from "../data-folder/data-paths.ts";
import { openDigest } from "../digest/open-digest.ts";
import { RuleBook } from "../digest/rules/rule-book.ts";
import { MIB } from "../domain/bytes.ts";
import { readPositions } from "../domain/journal-positions.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import type { LogTail } from "../domain/logs/log-tail.ts";
import { loadGroupingMoves } from "../grouping/grouping-moves.ts";
import { CurrentRules } from "../grouping/rules/project-rules.ts";
import { createCompactionJob } from "../jobs/compaction.ts";
import { createDamageCounter } from "../jobs/count-damage.ts";
import { createDeletionsJob } from "../jobs/deletions/deletions.ts";
import { createListEarlierFeedbackJob } from "../jobs/list-earlier-feedback.ts";
import { createOldRowsJob } from "../jobs/log-old-rows.ts";
import { createMoveDaysJob } from "../jobs/move-days.ts";
import { createOldItemsJob } from "../jobs/old-items/convert-old-items.ts";
import { pauseWhile } from "../jobs/pause-while.ts";
import { countFoundRows } from "../jobs/rebuild/count-found-rows.ts";
import { countLostRows } from "../jobs/rebuild/count-lost-rows.ts";
import { createRebuildJob, type RebuildStores } from "../jobs/rebuild/rebuild-events.ts";
import { restoreLoggedDays } from "../jobs/rebuild/restore-logged-days.ts";
import { createReprocessingJob } from "../jobs/reprocessing/reprocessing.ts";
import { SourceMapPassMarker } from "../jobs/reprocessing/source-map-pass-marker.ts";
import { createRollUpJob } from "../jobs/roll-up.ts";
import type { Job } from "../jobs/runner.ts";
import { JOURNAL_PLACES, type Journals, listJournals } from "../journal/journals.ts";
import type { Log } from "../log.server.ts";
import type { EventFolder } from "../stores/duckdb/event-database-file.ts";
import { openDuckdbEventStore } from "../stores/duckdb/open-duckdb-event-store.ts";
import { type EventPayloads, openEventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { toStoredSignal } from "../stores/events/moved-days.ts";
import { openPayloadFiles } from "../stores/files/open-payload-files.ts";
import type { State } from "../stores/state/state.ts";
import { openSymbolicator } from "../symbolicate/open-symbolicator.ts";
import { createUserDataFinder } from "./find-user-data.ts";
import { listSplitValues } from "./list-split-values.ts";
import { createLogTail } from "./log-tail.ts";
import { mapStoredEvent, regroupStoredEvent } from "./map-stored-event.ts";
import type { Metrics } from "./metrics.server.ts";
import { DIGEST_STORES_MODULE, type DigestStoresOptions } from "./open-digest-stores.ts";
import { SYMBOLICATOR_STORES_MODULE, type SymbolicatorStoresOptions } from "./open-symbolicator-stores.ts";
import { createGroupingPreviewer } from "./preview-grouping.ts";
import { logMoves, openWhenNoted, rebuildProgress } from "./rebuilding.ts";
import { showLatestEvent } from "./show-latest-event.ts";
import { testPrivacy } from "./test-privacy.ts";
import type { WorkTraces } from "./trace-work.ts";
import { withoutDeleted } from "./without-deleted.ts";

/** How long a search may take, in milliseconds, because a person waits. Enough for some ten thousand payloads. */
const FIND_USER_MS = 3_000;

/** The part behind the journal: the stores of events and payloads, the digest that fills them, and the reader of source maps. */
export interface EventSide {
  events: EventStore;
  payloads: EventPayloads;
  logTail: LogTail;
  /** Call it for each accepted event. */
  accepted(eventId: string, sequence: number, projectId: number): void;
  isPending: Engine["isPending"];
  hasAccepted: Engine["hasAccepted"];
  backlog: Engine["backlog"];
  symbolicate: Engine["symbolicate"];
  sourceMapPass: Engine["sourceMapPass"];
  rebuild: Engine["rebuild"];
  hideDeleted: Engine["hideDeleted"];
  findUserData: Engine["findUserData"];
  previewGrouping: Engine["previewGrouping"];
  listSplitValues: Engine["listSplitValues"];
  testPrivacy: Engine["testPrivacy"];
  /** @throws when the digest does not answer */
  pingDigest(): Promise<void>;
  /** Background jobs for these stores. */
  jobs: readonly Job[];
  /** Finishes the running batch. Later records wait in the journal. The stores stay open. */
  endDigest(): Promise<void>;
  /** Call it after `endDigest`. The stores stay open until `whenJobsEnd`. */
  close(whenJobsEnd: Promise<void>): Promise<void>;
}

interface EventSideOptions {
  paths: DataPaths;
  folder: EventFolder;
  stores: Config["stores"];
  digestThreads: number;
  minFreeDiskBytes: number;
  state: State;
  journals: Journals;
  feed: LiveFeed;
  metrics: Metrics;
  traces: Pick<WorkTraces, "batchEnded">;
  /** A batch is stored that changed issues. */
  onIssues: () => void;
  log: Log;
}

export async function openEventSide({
  paths,
  folder,
  stores,
  digestThreads,
  minFreeDiskBytes,
  state,
  journals: { express, bulk },
  feed,
  metrics,
  traces,
  onIssues,
  log,
}: EventSideOptions): Promise<EventSide> {
  const eventLog = log.child({ part: "events" });
  const journals = listJournals({ express, bulk });
  const stored = await openDuckdbEventStore({
    path: paths.events,
    tempDir: paths.eventsTemp,
    folder,
    memoryLimitMb: Math.floor(stores.eventsMemoryBytes / MIB),
    onDamage: (error) =>
      eventLog.error(
        { err: error, path: paths.events },
        "the event store is damaged: restart the server, which rebuilds it",
      ),
    onDamagedDay: ({ name, isLogged }, reason) =>
      eventLog.error(
        { file: name, reason },
        isLogged
          ? "the file of a day is damaged and was moved to damaged/: restart the server, which brings its rows back"
          : "the file of a day is damaged and was moved to damaged/: put it back into days/ from a backup, and restart the server",
      ),
  });
  await restoreLoggedDays(stored);
  const damageCounter = createDamageCounter({ state, events: stored }, { log: eventLog });
  const payloads = openEventPayloads(await openPayloadFiles({ dir: paths.payloads }), damageCounter.note);
  const events = logMoves(stored, payloads, Date.now);
  const whenNoted = openWhenNoted(withoutDeleted(events, state.deletionWork));
  const isRebuilding = () => events.rebuild.state() !== null;
  const restored: RebuildStores = {
    events: stored,
    payloads,
    deletions: state.deletionWork,
    damage: state.damage,
    expirations: state.expirations,
    positions: async () => ({
      state: await readPositions(state.batches, journals),
      events: await readPositions(stored, journals),
    }),
  };
  const rebuild = createRebuildJob(restored, { log: eventLog, onNoted: whenNoted.open });
  const oldRows = createOldRowsJob(
    { events: stored, payloads, journal: express },
    { log: eventLog, reserveBytes: minFreeDiskBytes },
  );
  // Must come before the digest makes files of its own.
  const earlierFiles = await payloads.listFiles();
  metrics.watch({ rebuild: () => rebuildProgress(events) });
  const symbolicatorOptions: SymbolicatorStoresOptions = { statePath: paths.state, blobDir: paths.blobs };
  const groupingMoves = await loadGroupingMoves(state.directory);
  const groupingRules = new CurrentRules(state.groupingRuleIndex);
  const ruleBook = new RuleBook(state.ruleIndex);
  const rulesOf = async (projectId: number) => ({
    rules: (await groupingRules.read()).get(projectId) ?? null,
    scrubRules: (await ruleBook.current()).scrubRulesOf(projectId),
  });
  const symbolicator = openSymbolicator({
    storesModule: SYMBOLICATOR_STORES_MODULE,
    storesOptions: symbolicatorOptions,
    log: log.child({ part: "symbolicator" }),
  });
  const storesOptions: DigestStoresOptions = { statePath: paths.state, payloadDir: paths.payloads };
  const applied = await readPositions(stored, journals);
  const logTail = createLogTail({ journals, applied }, log.child({ part: "log-tail" }));
  const digest = openDigest({
    journals: journals.map((journal, at) => ({
      journal,
      dir: join(paths.journal, JOURNAL_PLACES[at]?.folder ?? ""),
      // State is never behind the event store.
      applied: applied[at] ?? journal.firstSequence,
    })),
    setAsideDir: join(paths.journal, "set-aside"),
    storesModule: DIGEST_STORES_MODULE,
    storesOptions,
    events: logTail.watch(whenNoted.events),
    feed,
    symbolicator,
    log: log.child({ part: "digest" }),
    mapThreads: digestThreads,
    onBatch(batch) {
      const { stored, records, durationMs } = batch;
      for (const [category, items] of stored) metrics.stored(category, items);
      metrics.digested({ records, durationMs });
      traces.batchEnded(batch);
      if (batch.changes.length > 0) onIssues();
    },
  });
  metrics.watch({
    digest() {
      const { restartCount: restarts, setAsideCount: setAside } = digest.stats();
      return { restarts, setAside };
    },
  });
  const backlog: Engine["backlog"] = () => {
    const { backlogRecords, backlogBytes, recordsPerSecond } = digest.stats();
    return { records: backlogRecords, bytes: backlogBytes, recordsPerSecond };
  };
  const deletions = createDeletionsJob(
    { state, events, payloads, journals },
    {
      eraseAfterMs: stores.eraseAfterMs,
      sealDigest: () => digest.seal(),
      showLatest: (issue) => showLatestEvent({ state, events, payloads }, issue),
      log: log.child({ part: "deletions" }),
      now: Date.now,
    },
  );
  const reprocessing = createReprocessingJob({
    state,
    events,
    payloads,
    regroup: async (stored, options) =>
      regroupStoredEvent(symbolicator, stored, {
        ...options,
        isMovedOver: groupingMoves.has(options.projectId),
        ...(await rulesOf(options.projectId)),
      }),
    journals,
    backlog,
    feed,
    marker: new SourceMapPassMarker(paths.sourceMapPass),
    log: log.child({ part: "source-maps" }),
    now: Date.now,
  });
  metrics.watch({
    sourceMapPass() {
      const { issueCount, doneIssueCount, doneEventCount } = reprocessing.progress();
      return { waitingIssues: issueCount - doneIssueCount, doneEvents: doneEventCount };
    },
  });
  return {
    events,
    payloads,
    logTail,
    symbolicate: async (stored, options) =>
      mapStoredEvent(symbolicator, stored, { ...options, ...(await rulesOf(options.projectId)) }),
    sourceMapPass: () => reprocessing.progress(),
    accepted: (eventId, sequence, projectId) => digest.accepted(eventId, sequence, projectId),
    isPending: (eventId, projectIds) => digest.isPending(eventId, projectIds),
    hasAccepted: (eventId, projectIds) => digest.hasAccepted(eventId, projectIds),
    backlog,
    pingDigest: () => digest.ping(),
    rebuild: () => rebuildProgress(events),
    hideDeleted: deletions.hide,
    testPrivacy: (projectId, settings) => testPrivacy({ events, payloads }, projectId, settings),
    previewGrouping: createGroupingPreviewer({ events, payloads, rules: state.groupingRuleIndex }),
    listSplitValues: (issue) => listSplitValues({ events, payloads }, issue),
    findUserData: createUserDataFinder({ events, payloads }, { limitMs: FIND_USER_MS, now: Date.now }),
    jobs: [
      rebuild,
      ...[
        oldRows,
        createOldItemsJob(
          { events: stored, payloads, deletions: state.deletionWork },
          {
            files: earlierFiles,
            reserveBytes: minFreeDiskBytes,
            alone: deletions.inTurn,
            areRowsLogged: oldRows.isDone,
            log: eventLog,
            now: Date.now,
          },
        ),
        createListEarlierFeedbackJob({ state, events: stored, payloads, isRebuilding, log: eventLog }),
        createMoveDaysJob(
          { events: stored, payloads, journals },
          {
            backlog,
            sealDigest: () => digest.seal(),
            reserveBytes: minFreeDiskBytes,
            countLost: (days) =>
              countLostRows(
                restored,
                days.map(({ day, signal }) => ({ day, signal: toStoredSignal(signal) })),
              ),
            countFound: (days) => countFoundRows(restored, days),
            log: eventLog,
            now: Date.now,
          },
        ),
        deletions.job,
        damageCounter.job,
        reprocessing,
        createCompactionJob({ events, backlog }),
        createRollUpJob({ events, now: Date.now }),
      ].map((job) => pauseWhile(job, isRebuilding)),
    ],
    async endDigest() {
      const closing = digest.close();
      whenNoted.close();
      await closing;
      await logTail.close();
    },
    async close(whenJobsEnd) {
      // Answers requests for which a job may be waiting.
      await symbolicator.close();
      await whenJobsEnd;
      await payloads.close();
      await events.close();
    },
  };
}
