import { setTimeout as sleep } from "node:timers/promises";
import { createInTurn } from "../../domain/in-turn.ts";
import { isApplied, type Positions, readEnds, readPositions } from "../../domain/journal-positions.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Log } from "../../log.server.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { PayloadFile, PayloadStore } from "../../stores/payload-store.ts";
import type { DeletionPhase, DeletionTarget, OpenDeletion } from "../../stores/state/deletion-store.ts";
import type { State } from "../../stores/state/state.ts";
import type { Job } from "../runner.ts";
import { eraseFromEntry } from "./erase-events.ts";
import { settleIssues } from "./settle-issues.ts";
import { sweepDeletion } from "./sweep-deletion.ts";
import { beginUserSweep, continueUserSweep } from "./sweep-user.ts";

const EVERY_MS = SECOND_MS;
const RETRY_MS = 30 * SECOND_MS;
const MAX_OPEN = 1_000;

/** After this time, every request that was under way at the deletion has ended or was cut off. */
const UNDER_WAY_MS = 2 * MINUTE_MS;

/** How long payloads are searched at a time. Then other deletions and pages get their turn. */
const SEARCH_MS = SECOND_MS;

/** The pause after each append that was read or written, because events and pages come first. */
const PAUSE_MS = 1;

/** As many tries take ten seconds. Readers, which block a checkpoint, take milliseconds. */
const MAX_CHECKPOINTS = 100;
const CHECKPOINT_PAUSE_MS = 100;

export interface DeletionStores {
  state: Pick<State, "deletionWork" | "batches" | "checkpoint">;
  events: Pick<EventStore, "deletion" | "appliedSequence" | "checkpoint" | "movedDays" | "rebuild">;
  payloads: Pick<PayloadStore, "read" | "seal" | "erase" | "listFiles">;
  /** The first journal, and those whose sequences begin after its own. */
  journals: ReadonlyArray<Pick<Journal, "id" | "firstSequence" | "durable" | "rotate">>;
}

/** `isBrief`: a person waits, so searching payloads is left to the job. */
interface Turn {
  signal?: AbortSignal;
  isBrief?: boolean;
}

export interface DeletionsJob {
  job: Job;
  /** Deletes the rows of what was deleted just now. If it fails, the job does it later. */
  hide(): Promise<void>;
  /** Does other work while this job deletes no row. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Deletes what people asked for, in four steps. Each step can be cut off and done again. First, the rows are deleted at once. Second, when
 * all records that had come by then are stored, their rows are deleted, too. Third, after `eraseAfterMs`, the payload files that hold
 * deleted data are written again, for all deletions together. Fourth, the journals and the logs of the databases drop what they still hold
 * of it.
 */
export function createDeletionsJob(
  stores: DeletionStores,
  options: {
    eraseAfterMs: number;
    sealDigest: () => Promise<void>;
    /** Makes an issue show the texts of its newest event. */
    showLatest: (issue: { projectId: number; issueId: number }) => Promise<void>;
    log: Log;
    now: () => number;
  },
): DeletionsJob {
  const { state, events, journals } = stores;
  const { now, log, eraseAfterMs } = options;
  /** By deletion: the ends of the journals at a time when no request from before it could be under way any more. */
  const heldUpTo = new Map<number, Positions>();
  const inTurn = createInTurn();

  function settle({ id }: OpenDeletion, signal: AbortSignal | undefined): Promise<boolean> {
    return settleIssues(stores, id, { journals, showLatest: options.showLatest, signal });
  }

  /** Returns whether all rows that exist now are deleted. */
  async function sweep(deletion: OpenDeletion, round: "first" | "late", turn: Turn): Promise<boolean> {
    const { target } = deletion;
    if (target.kind === "user") return await sweepUser({ ...deletion, target }, round, turn);
    await sweepDeletion(stores, deletion, turn);
    return true;
  }

  async function sweepUser(
    deletion: OpenDeletion & { target: Extract<DeletionTarget, { kind: "user" }> },
    round: "first" | "late",
    { signal, isBrief }: Turn,
  ): Promise<boolean> {
    const lateFrom = await readPositions(events, journals);
    let scan = await beginUserSweep(stores, deletion, { round, lateFrom });
    const endsAt = performance.now() + (isBrief ? 0 : SEARCH_MS);
    while (scan.table !== "done" && performance.now() < endsAt) {
      signal?.throwIfAborted();
      scan = await continueUserSweep(stores, deletion, scan);
    }
    return scan.table === "done";
  }

  async function advance(deletion: OpenDeletion, turn: Turn): Promise<boolean> {
    const { id, phase, askedAt } = deletion;
    const { signal } = turn;
    if (phase === "asked") {
      const isSwept = await sweep(deletion, "first", turn);
      await settle(deletion, signal);
      if (isSwept) await state.deletionWork.setPhase(id, "hidden");
      return true;
    }
    if (phase !== "hidden" || now() < askedAt + Math.min(UNDER_WAY_MS, eraseAfterMs)) return false;
    const ends = heldUpTo.get(id) ?? readEnds(journals);
    heldUpTo.set(id, ends);
    if (!(await isApplied(events, journals, ends))) return false;
    const isSwept = await sweep(deletion, "late", turn);
    if (!(await settle(deletion, signal)) || !isSwept) return true;
    await state.deletionWork.setPhase(id, "swept");
    heldUpTo.delete(id);
    return true;
  }

  /** Returns whether there was anything to do. */
  async function erase(open: readonly OpenDeletion[], signal: AbortSignal): Promise<boolean> {
    const hasPhase = (phase: DeletionPhase) => open.some((deletion) => deletion.phase === phase);
    if (!hasPhase("erasing")) {
      const isDue = open.some(({ phase, askedAt }) => phase === "swept" && now() >= askedAt + eraseAfterMs);
      if (!isDue) return false;
      await stores.payloads.seal();
      await options.sealDigest();
      const days = await state.deletionWork.listDeletedDays();
      const all = await stores.payloads.listFiles();
      // Files of any day may have data of a project.
      const files = open.some(({ kind }) => kind === "project") ? all : filesOfDays(all, days);
      await state.deletionWork.beginErasure(files.map(({ fileId }) => fileId));
    }
    const { findDeleted } = state.deletionWork;
    const projectIds = new Set(await state.deletionWork.listDeletedProjects());
    for (const fileId of await state.deletionWork.listErasures()) {
      const erased = await stores.payloads.erase(
        fileId,
        (entry) => eraseFromEntry(entry, { findDeleted, projectIds }),
        { signal, pause: () => sleep(PAUSE_MS) },
      );
      if (erased > 0) log.info({ fileId, erased }, "deleted payloads were erased from a file");
      await state.deletionWork.endErasure(fileId);
    }
    const days = await events.movedDays.erase(signal);
    if (days > 0) log.info({ files: days }, "what was deleted was erased from files of days");
    for (const journal of journals) await journal.rotate();
    await state.deletionWork.forget();
    for (let tries = 1; !(await settleLogs()) && tries < MAX_CHECKPOINTS && !signal.aborted; tries++)
      await sleep(CHECKPOINT_PAUSE_MS);
    const left = await state.deletionWork.countForgotten();
    if (left > 0)
      log.warn(
        { deletions: left },
        "what was deleted is still in the log of a database, which a reader holds, a backup for one: it is tried again",
      );
    return true;
  }

  /** Empties the logs of the databases. Then they hold nothing of the deleted data, and the deletions are done. Returns whether that is so. */
  async function settleLogs(): Promise<boolean> {
    if ((await state.deletionWork.countForgotten()) === 0) return true;
    if (!(await events.checkpoint()) || !(await state.checkpoint())) return false;
    const done = await state.deletionWork.finish(now());
    log.info({ deletions: done }, "what was deleted is in no payload file, journal or log of a database any more");
    return true;
  }

  async function run(signal: AbortSignal): Promise<"worked" | "idle"> {
    let hasWorked = false;
    await inTurn(async () => {
      for (const deletion of await state.deletionWork.listOpen(MAX_OPEN)) {
        signal.throwIfAborted();
        if (await advance(deletion, { signal })) hasWorked = true;
      }
    });
    const hasErased = await erase(await state.deletionWork.listOpen(MAX_OPEN), signal);
    if (!hasErased) await settleLogs();
    return hasErased || hasWorked ? "worked" : "idle";
  }

  return {
    inTurn,
    job: {
      name: "deletions",
      everyMs: EVERY_MS,
      retryMs: RETRY_MS,
      run: (signal) =>
        run(signal).catch((error: unknown) => {
          if (signal.aborted) return "worked";
          throw error;
        }),
    },
    hide: () =>
      inTurn(async () => {
        if (events.rebuild.state() !== null) return;
        for (const deletion of await state.deletionWork.listOpen(MAX_OPEN))
          if (deletion.phase === "asked") await advance(deletion, { isBrief: true });
      }).catch((error: unknown) => log.warn({ err: error }, "what was deleted just now is left to the job")),
  };
}

/**
 * The payload files that may hold data of these days. A batch is in the file of the day of its first record. After a crash a part of it may
 * be in a second file. So files of the day before and the day after count, too. If an event moved to another issue, a file of errors of a
 * later day names it as well.
 */
function filesOfDays(files: readonly PayloadFile[], days: readonly number[]): PayloadFile[] {
  const wanted = new Set(days.flatMap((day) => [day - 1, day, day + 1]));
  const first = Math.min(...days);
  return files.filter(
    ({ day, signal }) => wanted.has(day) || (day >= first && (signal === "errors" || signal === null)),
  );
}
