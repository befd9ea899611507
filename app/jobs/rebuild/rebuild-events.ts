import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.server.ts";
import type { RebuildState } from "../../stores/events/event-rebuild.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { MovedDay } from "../../stores/events/moved-days.ts";
import { decodeRowLogEntry, type LoggedRows } from "../../stores/events/row-log.ts";
import type { PayloadLogPart, PayloadStore } from "../../stores/payload-store.ts";
import type { DamageStore } from "../../stores/state/damage-store.ts";
import type { DeletionWork } from "../../stores/state/deletion-store.ts";
import { isDeleted, readDeletionKeys, readProjectIds } from "../deletions/erase-events.ts";
import type { Job } from "../runner.ts";
import { countLostRows, type LostRowStores } from "./count-lost-rows.ts";
import { leaveOutMoved, leaveOutOthers, leaveOutWritten } from "./leave-out-rows.ts";
import { noteLostRows } from "./note-lost-rows.ts";

/** Rows that are written in one transaction. It keeps other writes waiting for some tens of milliseconds. */
const ROWS_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 4_000_000;
const MOVES_AT_ONCE = 200;
/** The pause after each transaction, so that pages get a turn, also on one core. */
const BREATH_MS = 2;
/** Short, because the last run may have been just before the server stopped: then a lost store waits for so long after the start. */
const EVERY_MS = 1_000;
const RETRY_MS = 10_000;

export interface RebuildStores extends Pick<LostRowStores, "expirations" | "positions"> {
  events: Pick<EventStore, "rebuild" | "movedDays" | "deletion" | "moveEvents" | "findPayloads" | "countExpired">;
  payloads: Pick<PayloadStore, "listFiles" | "readLog">;
  /** Deletions of people that the payload files do not have yet. */
  deletions: Pick<DeletionWork, "findDeleted" | "listDeletedProjects">;
  damage: DamageStore;
}

/** The state at the end of a rebuild. */
export interface RebuildDone extends RebuildState {
  /** The number of items that this process has counted as damaged: their rows are back, but their payloads cannot be read. */
  damagedItems: number;
  /** The number of items whose rows are not back, also counted as damaged. */
  lostItems: number;
}

/**
 * Rebuilds the event store after it was lost. The digest must wait until all rows are noted (`onNoted`). Work that changes stored rows must
 * wait until the rebuild is done.
 */
export function createRebuildJob(stores: RebuildStores, { log, onNoted }: { log: Log; onNoted: () => void }): Job {
  return {
    name: "rebuild",
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    retryMs: RETRY_MS,
    async run(signal) {
      const state = stores.events.rebuild.state();
      if (state === null) return "idle";
      log.warn({ reason: state.reason }, "the event store is rebuilt from the payload files");
      const done = await rebuildEvents(stores, { signal, onNoted });
      if (done !== null) {
        const { rows, damagedEntries, unlistedPayloads, damagedItems, lostItems } = done;
        log.info({ rows, damagedEntries, unlistedPayloads, damagedItems, lostItems }, "the event store is rebuilt");
      }
      return "worked";
    },
  };
}

/**
 * Rebuilds the event store, or continues where a rebuild stopped. The process may be killed at any time, because each step is one
 * transaction of the event store. Returns the state at the end. Null: the signal ended it before.
 */
export async function rebuildEvents(
  stores: RebuildStores,
  {
    signal,
    onNoted,
    onProgress,
  }: { signal?: AbortSignal; onNoted?: () => void; onProgress?: (state: RebuildState) => void } = {},
): Promise<RebuildDone | null> {
  const { rebuild } = stores.events;
  let state = rebuild.state();
  if (state === null) return null;
  // The process before this one may have written rows and ended before it counted them.
  let damagedItems = await countDamaged(stores, state);
  if (!(await noteLostRows(stores, { signal, onProgress: () => onProgress?.(state as RebuildState) }))) return null;
  onNoted?.();
  // The newest files come first, because people look for what is new.
  for (;;) {
    state = rebuild.state();
    if (state?.files == null || signal?.aborted) return null;
    const file = state.files[state.fileIndex];
    if (file === undefined) break;
    damagedItems += await restoreFile(stores, file.fileId, { signal, onProgress });
  }
  if (!(await restoreMoves(stores, state, signal))) return null;
  if (state.received === null) await hideDeletedRows(stores);
  const lostItems = await countLostRows(stores, state.damagedFiles);
  await rebuild.end();
  return { ...state, damagedItems, lostItems };
}

/** Returns the number of items that were counted as damaged. */
async function restoreFile(
  stores: RebuildStores,
  fileId: number,
  {
    signal,
    onProgress,
  }: { signal?: AbortSignal | undefined; onProgress?: ((state: RebuildState) => void) | undefined },
): Promise<number> {
  const { payloads, deletions } = stores;
  const { rebuild } = stores.events;
  const begun = rebuild.state();
  if (begun === null) return 0;
  let damagedItems = 0;
  const step = new RestoreStep(begun, stores.events.movedDays.list());
  async function save(): Promise<void> {
    step.entries = await Promise.all(step.entries.map((entry) => leaveOutDeleted(entry, deletions)));
    if (await restoreOrSkip(rebuild, step)) onProgress?.(step.state);
    damagedItems += await countDamaged(stores, step.state);
    await sleep(BREATH_MS);
  }
  for await (const part of payloads.readLog(fileId, begun.offset)) {
    await step.add(part, fileId);
    if (!step.isFull) continue;
    await save();
    if (signal?.aborted) return damagedItems;
    step.goOn(rebuild.state() ?? step.state);
  }
  step.state.fileIndex--;
  step.state.offset = 0;
  await save();
  return damagedItems;
}

/** Counts the payloads of damaged blocks, after their rows are written. A place that was counted before counts nothing. */
async function countDamaged({ events, damage }: RebuildStores, { damagedBlocks }: RebuildState): Promise<number> {
  if (damagedBlocks.length === 0) return 0;
  return await damage.noteDamaged(await events.findPayloads(damagedBlocks.map((block) => ({ ...block, index: null }))));
}

/** The next transaction: entries of one file, and the state after them. */
class RestoreStep {
  state: RebuildState;
  entries: LoggedRows[] = [];
  readonly #moved: readonly MovedDay[];
  #rows = 0;
  #bytes = 0;

  constructor(state: RebuildState, moved: readonly MovedDay[]) {
    this.#moved = moved;
    this.state = forNextStep(state);
  }

  get isFull(): boolean {
    return this.#rows >= ROWS_AT_ONCE || this.#bytes >= BYTES_AT_ONCE;
  }

  async add(part: PayloadLogPart, fileId: number): Promise<void> {
    const { state } = this;
    const begunAt = state.offset;
    state.offset = part.endOffset;
    if (part.kind === "damaged") noteDamagedEntry(state, state.fileIndex);
    if (part.kind === "unlisted") state.unlistedPayloads += part.payloads;
    if (part.kind !== "entry") return;
    this.#bytes += part.bytes.length;
    const entry = decodeRowLogEntry(part.bytes, part.refOf);
    if (entry.kind === "moves") {
      state.moves.push({ fileId, offset: begunAt });
      return;
    }
    const signal = state.files?.[state.fileIndex]?.signal ?? null;
    const written = leaveOutMoved(leaveOutWritten(leaveOutOthers(entry, state), state, signal), this.#moved, state);
    this.entries.push(written);
    const rows = entry.rows.reduce((sum, { count }) => sum + count, 0);
    this.#rows += rows;
    // An entry that brings no row may have been written completely on another day.
    if (written.leftOut.length === rows) return;
    for (const offset of await part.findDamagedBlocks()) state.damagedBlocks.push({ fileId, offset });
  }

  goOn(state: RebuildState): void {
    this.state = forNextStep(state);
    this.entries = [];
    this.#rows = 0;
    this.#bytes = 0;
  }
}

/** Notes that an entry's rows are lost. How many they were is counted at the end. */
function noteDamagedEntry(state: RebuildState, fileIndex: number): void {
  state.damagedEntries++;
  const file = state.files?.[fileIndex];
  if (file === undefined || state.damagedFiles.some(({ day, signal }) => day === file.day && signal === file.signal))
    return;
  state.damagedFiles.push({ day: file.day, signal: file.signal });
}

/** The state for the next step. The damaged blocks of the step before are counted by now. */
function forNextStep(state: RebuildState): RebuildState {
  return { ...structuredClone(state), damagedBlocks: [] };
}

/** Leaves out deleted rows. A payload file is written again only some hours after a deletion; until then, its deleted rows must not come back. */
async function leaveOutDeleted(entry: LoggedRows, deletions: RebuildStores["deletions"]): Promise<LoggedRows> {
  const keys = entry.rows.map((rows) => readDeletionKeys({ rows }));
  const deleted = await deletions.findDeleted(keys.flat(2));
  const projectIds = new Set(await deletions.listDeletedProjects());
  if (deleted.size === 0 && projectIds.size === 0) return entry;
  const leftOut = new Set(entry.leftOut);
  for (const [at, rows] of entry.rows.entries()) {
    const projectsOf = readProjectIds(rows);
    for (const [row, item] of rows.items.entries()) {
      if (projectIds.has(projectsOf[row] ?? -1)) leftOut.add(item);
      if (isDeleted(keys[at]?.[row], deleted)) leftOut.add(item);
    }
  }
  return { ...entry, leftOut: [...leftOut] };
}

/** Deletes the rows of deleted data in files of days, which are not restored but still there. */
async function hideDeletedRows({ events: { movedDays, deletion }, deletions }: RebuildStores): Promise<void> {
  for (const day of movedDays.list()) {
    for await (const parts of movedDays.scan(day)) {
      const deleted = await deletions.findDeleted(parts.map(({ projectId, key }) => ({ projectId, identity: key })));
      if (deleted.size > 0)
        await deletion.deleteParts(parts.filter(({ projectId, key }) => deleted.has(`${projectId}:${key}`)));
    }
  }
  for (const projectId of await deletions.listDeletedProjects()) await deletion.deleteProject(projectId);
}

/** Writes the entries of a step. If the store refuses them, they are tried one by one; an entry that is refused alone is counted as damaged. */
async function restoreOrSkip(rebuild: RebuildStores["events"]["rebuild"], step: RestoreStep): Promise<boolean> {
  try {
    await rebuild.restore(step.entries, step.state);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { state } = step;
    // The step may have reached the end of its file.
    const { fileIndex } = rebuild.state() ?? state;
    if (step.entries.length > 1) {
      for (const entry of step.entries) {
        const before = rebuild.state();
        if (before === null) return false;
        try {
          // The state stays as it was, and only the rows are new.
          await rebuild.restore([entry], before);
        } catch (refused) {
          if (!isRefusal(refused)) throw refused;
          noteDamagedEntry(state, fileIndex);
        }
      }
      await rebuild.restore([], state);
      return true;
    }
    noteDamagedEntry(state, fileIndex);
    await rebuild.restore([], state);
    return true;
  }
}

/** Whether the error says that DuckDB cannot store a value. Its messages begin with one of these words then. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof RangeError ||
    (error instanceof Error &&
      /^(?:Conversion|Constraint|Invalid Input|Out of Range|Mismatch Type) Error/.test(error.message))
  );
}

/** Moves events to other issues again, in the order in which people or jobs moved them. It can be done twice. */
async function restoreMoves(
  { events, payloads }: RebuildStores,
  state: RebuildState,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const places = new Map((state.files ?? []).map(({ fileId }, place) => [fileId, place]));
  const placeOf = ({ fileId }: { fileId: number }) => places.get(fileId) ?? 0;
  const moves = state.moves.toSorted((a, b) => placeOf(a) - placeOf(b) || a.offset - b.offset);
  for (const { fileId, offset } of moves) {
    for await (const part of payloads.readLog(fileId, offset)) {
      if (part.kind !== "entry") continue;
      const entry = decodeRowLogEntry(part.bytes, part.refOf);
      if (entry.kind !== "moves") break;
      for (let from = 0; from < entry.moves.length; from += MOVES_AT_ONCE) {
        if (signal?.aborted) return false;
        await events.moveEvents(entry.moves.slice(from, from + MOVES_AT_ONCE));
      }
      break;
    }
  }
  return true;
}
