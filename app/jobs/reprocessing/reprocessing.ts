import { setTimeout as sleep } from "node:timers/promises";
import { isApplied, type Positions, readEnds, readPositions } from "../../domain/journal-positions.ts";
import type { LiveFeed } from "../../domain/live-message.ts";
import type { SourceMapPass } from "../../domain/source-map-pass.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Log } from "../../log.server.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { RegroupingRequest } from "../../stores/state/issue-merge-store.ts";
import type { LateIssue } from "../../stores/state/reprocessing-store.ts";
import type { OpenMove } from "../../stores/state/rule-move-store.ts";
import type { State } from "../../stores/state/state.ts";
import type { Job } from "../runner.ts";
import {
  type AffectedIssues,
  type CountedWantedKey,
  findAffectedIssues,
  SeenUploads,
  toKeyText,
} from "./find-affected-issues.ts";
import { finishRegrouping } from "./finish-regrouping.ts";
import { type RegroupingOptions, type RegroupingStores, regroupIssue } from "./regroup-issue.ts";
import type { SourceMapPassMarker } from "./source-map-pass-marker.ts";

export interface SourceMapPassParts extends RegroupingStores {
  state: State;
  events: EventStore;
  journals: ReadonlyArray<Pick<Journal, "id" | "firstSequence" | "durable">>;
  /** The records that wait for their digest. */
  backlog(): { records: number };
  feed: Pick<LiveFeed, "publish">;
  marker: SourceMapPassMarker;
  log: Log;
  now: () => number;
  pollMs?: number;
  /** The pause after a failure. */
  retryMs?: number;
}

export interface ReprocessingJob extends Job {
  progress(): SourceMapPass;
}

/** How often the job asks whether there is a new upload, which any thread may have stored. */
const POLL_MS = 500;
/** Tools send several uploads one after another. One run waits for all of them, but not longer than so many polls. */
const MAX_QUIET_POLLS = 20;
const PAUSE_MS = 50;
/** With more records waiting, the digest needs the processor for itself. */
const MAX_BACKLOG_RECORDS = 1_000;
/** The most issues with late mapped events in one run. The next run does the rest. */
const MAX_LATE_ISSUES = 1_000;
/** The most times that one run looks at an issue. If still more unmapped events come, they are left to the next upload. */
const MAX_LOOKS_AT_ISSUE = 3;
const RETRY_MS = 10_000;
/** The most decisions of people in one run. */
const MAX_REQUESTS = 20;
/** The time that one run spends on a move of stored events. */
const MOVE_TURN_MS = 2_000;
/** Events go by the keys from before the merge, so each finds its old issue. */
const MERGE_UNDONE = { cause: "merge", mayEnd: true } as const;
/** The number of events after which the progress that people see is updated. */
const PROGRESS_EVENTS = 200;
/** The most events of an issue that is taken apart; older ones stay in it. Their rows are in memory meanwhile, half a kilobyte each. */
const MAX_DECIDED_EVENTS = 50_000;

/** Thrown when the job was told to end. */
class Ended extends Error {}

/**
 * Maps events that came before their source maps, once the maps are uploaded. It does one issue after another and one event after another,
 * and waits while the digest has much to do. Work that a crash interrupted is continued after the start.
 */
export function createReprocessingJob(parts: SourceMapPassParts): ReprocessingJob {
  return new Reprocessing(parts);
}

class Reprocessing implements ReprocessingJob {
  readonly name = "reprocessing";
  readonly everyMs: number;
  readonly retryMs: number;
  readonly #parts: SourceMapPassParts;
  readonly #seen: SeenUploads;
  /** Issues with late mapped events in this run, by the id of the issue. */
  #late = new Map<number, LateIssue>();
  #signal = new AbortController().signal;
  /** False before the first run and after a failure: then interrupted work is finished first. */
  #isStarted = false;
  /** The version of the uploads that have been looked at. Null: it is unknown. */
  #done: number | null = null;
  #progress: SourceMapPass = {
    isRunning: false,
    startedAt: null,
    endedAt: null,
    issueCount: 0,
    doneIssueCount: 0,
    doneEventCount: 0,
    mappedEventCount: 0,
    joinedIssueCount: 0,
    problem: null,
  };

  constructor(parts: SourceMapPassParts) {
    this.#parts = parts;
    this.#seen = new SeenUploads(parts.state.artifactIndex);
    this.everyMs = parts.pollMs ?? POLL_MS;
    this.retryMs = parts.retryMs ?? RETRY_MS;
  }

  progress(): SourceMapPass {
    return { ...this.#progress };
  }

  async run(signal: AbortSignal): Promise<"worked" | "idle"> {
    const { state } = this.#parts;
    this.#signal = signal;
    try {
      if (!this.#isStarted) {
        this.#done = await this.#start();
        this.#isStarted = true;
      }
      const hasDecided = await this.#followDecisions();
      const current = await state.artifactIndex.artifactVersion();
      if (current === this.#done && (await state.reprocessing.listLateIssues(1)).length === 0)
        return hasDecided ? "worked" : "idle";
      const version = await this.#waitForQuiet();
      await this.#pass(version);
      this.#done = version;
      return "worked";
    } catch (error) {
      if (error instanceof Ended) return "idle";
      this.#isStarted = false;
      this.#end(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** Moves events as people decided when they merged issues or took them apart. Returns whether there was something to do. */
  async #followDecisions(): Promise<boolean> {
    const { state, now } = this.#parts;
    const options = { now, waitForEvents: () => this.#waitForEvents(), breathe: () => this.#breathe() };
    const hasMerges = (await state.reprocessing.listUnfinishedMerges(1)).length > 0;
    if (hasMerges) await finishRegrouping(this.#parts, options);
    const requests = await state.regroupingRequests.listRequests(MAX_REQUESTS);
    for (const request of requests) {
      if (request.byRules) await this.#followRules(request);
      else await this.#regroup(request, { issueId: request.issueId, decidedBy: "stored-keys", byRules: MERGE_UNDONE });
      await state.regroupingRequests.endRequest(request);
    }
    const move = await state.ruleMoveWork.findOpenMove();
    if (move !== null) await this.#followMove(move);
    return hasMerges || requests.length > 0 || move !== null;
  }

  /** Does some issues of a move, so that other decisions do not wait for all of them. */
  async #followMove({ id: moveId, since, userId, isToBeUndone }: OpenMove): Promise<void> {
    const { state, journals, now } = this.#parts;
    const work = state.ruleMoveWork;
    if (isToBeUndone) return await work.revertMove({ moveId, at: now() });
    // A batch that began before the rules were saved does not know them.
    await this.#waitForStores(readEnds(journals));
    const byRules = { cause: "rules", mayEnd: true, move: { id: moveId, userId } } as const;
    const until = performance.now() + MOVE_TURN_MS;
    do {
      const issueId = await work.nextIssue(moveId);
      if (issueId === null) return await work.endMove({ moveId, at: now() });
      await this.#regroup(null, { issueId, decidedBy: "rules", byRules, since });
      await work.noteIssue({ moveId, issueId });
    } while (performance.now() < until);
  }

  /** Groups the events of an issue by the rules. Events that no rule takes away stay. Events of splits that were undone come back. */
  async #followRules(request: RegroupingRequest): Promise<void> {
    const { state, journals } = this.#parts;
    // A batch that began before the change does not know it.
    await this.#waitForStores(readEnds(journals));
    const { issueId } = request;
    await this.#regroup(request, { issueId, decidedBy: "rules", byRules: { cause: "split", mayEnd: false } });
    for (const undoneId of await state.regroupingRequests.listUndoneSplitIssues(issueId)) {
      const byRules = { cause: "split", mayEnd: true } as const;
      // The issue may have got more events since than one pass takes.
      while (await this.#regroup(request, { issueId: undoneId, decidedBy: "rules", byRules }));
    }
  }

  /** Returns whether events went to another issue, so that more may do so. */
  async #regroup(
    request: RegroupingRequest | null,
    options: Pick<RegroupingOptions, "issueId" | "decidedBy" | "byRules" | "since">,
  ): Promise<boolean> {
    const { state, feed, now } = this.#parts;
    let doneCount = 0;
    const result = await regroupIssue(this.#parts, {
      ...options,
      now,
      waitForEvents: () => this.#waitForEvents(),
      breathe: async () => {
        await this.#breathe();
        if (++doneCount % PROGRESS_EVENTS === 0 && request !== null)
          await state.regroupingRequests.noteProgress({ ...request, doneCount });
      },
      onEvent: () => {},
      maxEvents: MAX_DECIDED_EVENTS,
    });
    if (result === null) return false;
    const { issueId } = options;
    const { projectId, changes, mergedInto } = result;
    // Most issues of a move did not change, so nothing is told about them.
    if (request !== null || changes.length > 0 || mergedInto !== null) {
      const told = [...changes, { issueId, transition: null, events: 0 }];
      feed.publish({ kind: "issues", at: now(), changes: told.map((change) => ({ ...change, projectId })) });
    }
    return mergedInto === null && changes.some((change) => change.issueId !== issueId);
  }

  /** Finishes interrupted work. Returns the version of the uploads that have been looked at; null: it is unknown. */
  async #start(): Promise<number | null> {
    const { marker, state, now } = this.#parts;
    await finishRegrouping(this.#parts, {
      now,
      waitForEvents: () => this.#waitForEvents(),
      breathe: () => this.#breathe(),
    });
    const done = await marker.read();
    const uploads = await this.#seen.listNew();
    // The version is read after the list, so an upload that came in between counts as new.
    if (done === (await state.artifactIndex.artifactVersion())) this.#seen.note(uploads);
    return done;
  }

  /** One run over all new uploads. */
  async #pass(version: number): Promise<void> {
    const { marker, state } = this.#parts;
    // The uploads are listed before the ends of the journals are read. An upload that comes later may also have later events that do not
    // know it.
    const uploads = await this.#seen.listNew();
    // A batch that began before the upload does not know it. Once it is stored, the maps that it lacks are known.
    await this.#waitForStores(readEnds(this.#parts.journals));
    // The mark is removed before any work that a crash could interrupt.
    await marker.write(null);
    const affected = await findAffectedIssues(state.artifactIndex, uploads);
    this.#late = new Map(
      (await state.reprocessing.listLateIssues(MAX_LATE_ISSUES)).map((late) => [late.issueId, late]),
    );
    // For these issues, all wanted maps count: a map that was late may have been there for longer.
    for (const issueId of this.#late.keys()) affected.set(issueId, await this.#listKeys(issueId));
    if (affected.size > 0) await this.#passOver(affected);
    this.#seen.note(uploads);
    await marker.write(version);
  }

  async #passOver(affected: AffectedIssues): Promise<void> {
    this.#begin(affected.size);
    const looks = new Map<number, number>();
    for (const [issueId, keys] of affected) {
      const look = (looks.get(issueId) ?? 0) + 1;
      looks.set(issueId, look);
      // An issue that is removed and added again comes last, because a Map also iterates over what is added meanwhile.
      affected.delete(issueId);
      const again = await this.#passOverIssue(issueId, keys);
      this.#progress.doneIssueCount++;
      if (again === null || (looks.get(again.issueId) ?? 0) >= MAX_LOOKS_AT_ISSUE) continue;
      if (!affected.has(again.issueId)) this.#progress.issueCount++;
      // This replaces the entry if the issue is still to come: it may want more maps than before.
      affected.set(again.issueId, again.keys);
    }
    this.#end(null);
    const { doneIssueCount, doneEventCount, mappedEventCount, joinedIssueCount } = this.#progress;
    const facts = { doneIssueCount, doneEventCount, mappedEventCount, joinedIssueCount };
    this.#parts.log.info(facts, "stored events were mapped by new uploads");
  }

  /** Looks at one issue. Returns an issue that must be looked at (again) because of the result. */
  async #passOverIssue(
    issueId: number,
    keys: CountedWantedKey[],
  ): Promise<{ issueId: number; keys: CountedWantedKey[] } | null> {
    const { state, feed, now } = this.#parts;
    const result = await regroupIssue(this.#parts, {
      issueId,
      now,
      waitForEvents: () => this.#waitForEvents(),
      breathe: () => this.#breathe(),
      onEvent: (isMapped) => {
        this.#progress.doneEventCount++;
        if (isMapped) this.#progress.mappedEventCount++;
      },
    });
    const late = this.#late.get(issueId);
    if (late !== undefined) await state.reprocessing.forgetLateIssues([late]);
    if (result === null) {
      await state.artifactIndex.forgetMissingSourceMaps(keys);
      return null;
    }
    const { projectId, changes, mergedInto, wanted } = result;
    if (changes.length > 0 || mergedInto !== null) {
      const told = changes.some((change) => change.issueId === issueId)
        ? changes
        : [...changes, { issueId, transition: null, events: 0 }];
      feed.publish({ kind: "issues", at: now(), changes: told.map((change) => ({ ...change, projectId })) });
    }
    if (mergedInto !== null) {
      // Its wanted maps now belong to the other issue, whose own events may want the same maps.
      this.#progress.joinedIssueCount++;
      return { issueId: mergedInto, keys: await this.#listKeys(mergedInto) };
    }
    const fulfilled = keys.filter((key) => !wanted.has(toKeyText(key)));
    const foreign = keys.filter((key) => wanted.get(toKeyText(key))?.isForeign);
    const changed =
      (await state.artifactIndex.forgetMissingSourceMaps(fulfilled)) +
      (await state.artifactIndex.markMissingForeign(foreign));
    // If fewer keys changed than expected, more events want them now: some came meanwhile.
    return changed < fulfilled.length + foreign.length ? { issueId, keys: await this.#listKeys(issueId) } : null;
  }

  async #listKeys(issueId: number): Promise<CountedWantedKey[]> {
    const issue = await this.#parts.state.reprocessing.getIssue(issueId);
    if (issue === null) return [];
    return await this.#parts.state.artifactIndex.listMissingSourceMaps({
      projectIds: [issue.projectId],
      issueId: issue.id,
    });
  }

  /** Waits until no more uploads come, so that one run does all of them. Returns their version. */
  async #waitForQuiet(): Promise<number> {
    const { state, pollMs = POLL_MS } = this.#parts;
    let version = await state.artifactIndex.artifactVersion();
    for (let polls = 0; polls < MAX_QUIET_POLLS; polls++) {
      await this.#sleep(pollMs);
      const current = await state.artifactIndex.artifactVersion();
      if (current === version) break;
      version = current;
    }
    return version;
  }

  /** Waits until the event store has what state has counted. */
  async #waitForEvents(): Promise<void> {
    const { state, events, journals } = this.#parts;
    const counted = await readPositions(state.batches, journals);
    while (!(await isApplied(events, journals, counted))) await this.#sleep(PAUSE_MS);
  }

  async #waitForStores(ends: Positions): Promise<void> {
    const { state, journals } = this.#parts;
    while (!(await isApplied(state.batches, journals, ends))) await this.#sleep(PAUSE_MS);
    await this.#waitForEvents();
  }

  /** @throws {Ended} */
  async #breathe(): Promise<void> {
    if (this.#signal.aborted) throw new Ended();
    while (this.#parts.backlog().records > MAX_BACKLOG_RECORDS) await this.#sleep(PAUSE_MS);
  }

  async #sleep(milliseconds: number): Promise<void> {
    try {
      await sleep(milliseconds, undefined, { signal: this.#signal, ref: false });
    } catch {
      throw new Ended();
    }
  }

  #begin(issueCount: number): void {
    this.#progress = {
      isRunning: true,
      startedAt: this.#parts.now(),
      endedAt: null,
      issueCount,
      doneIssueCount: 0,
      doneEventCount: 0,
      mappedEventCount: 0,
      joinedIssueCount: 0,
      problem: null,
    };
  }

  #end(problem: string | null): void {
    if (this.#progress.startedAt === null && problem === null) return;
    this.#progress = { ...this.#progress, isRunning: false, endedAt: this.#parts.now(), problem };
  }
}
