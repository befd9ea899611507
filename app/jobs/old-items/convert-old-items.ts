import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import type { Log } from "../../log.server.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import { listConvertedRows } from "../../stores/events/old-items.ts";
import { decodeRowLogEntry, type LoggedRows, readLoggedTables } from "../../stores/events/row-log.ts";
import { DamagedPayloadError, type PayloadFile, type PayloadStore } from "../../stores/payload-store.ts";
import type { Job } from "../runner.ts";
import { type ConvertingStores, convertEntry } from "./convert-entry.ts";

/** Rows that are written in one transaction, as in a rebuild. */
const ROWS_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 4_000_000;
/** The pause after each append that was read and after each transaction, because events and pages come first. */
const PAUSE_MS = 2;
const EVERY_MS = 5 * SECOND_MS;
const RETRY_MS = 10 * MINUTE_MS;

export interface OldItemStores {
  events: Pick<EventStore, "oldItems" | "rebuild">;
  payloads: Pick<PayloadStore, "readLog" | "rewrite" | "read">;
  deletions: ConvertingStores["deletions"];
}

export interface OldItemsDone {
  /** The number of payload files that were written again. */
  files: number;
  /** The number of items that the event store has converted into rows. */
  items: number;
  /** The number of files with a block that cannot be read. They stay as they are. */
  damagedFiles: number;
}

interface TurnOptions {
  /** Files to which nothing is added any more. */
  files: readonly PayloadFile[];
  /** Bytes that must stay free on the disk besides the copy of a file. */
  reserveBytes: number;
  signal?: AbortSignal;
  /** Runs work while nobody else takes rows out of the event store. */
  alone?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  onFile?: (done: OldItemsDone, left: number) => void;
  /** True if the event store is rebuilt afterwards, so that it need not be changed now. */
  skipsStore?: boolean;
}

/**
 * Makes rows of spans, logs and transactions that earlier versions have stored whole. It first replaces a payload file as a whole, then
 * changes the event store. The process may be killed at any time: the file tells what the store still lacks.
 */
export async function convertOldItems(stores: OldItemStores, options: TurnOptions): Promise<OldItemsDone> {
  const { files, reserveBytes, signal, onFile } = options;
  const done: OldItemsDone = { files: 0, items: 0, damagedFiles: 0 };
  for (const [at, { fileId }] of files.entries()) {
    signal?.throwIfAborted();
    let hasConverted = false;
    try {
      const rewritten = await stores.payloads.rewrite(
        fileId,
        async (bytes, refOf) => {
          const converted = await convertEntry(bytes, refOf, stores);
          hasConverted ||= converted !== null || isConverted(bytes);
          return converted;
        },
        { reserveBytes, ...(signal && { signal }), pause: () => sleep(PAUSE_MS) },
      );
      if (rewritten > 0) done.files++;
    } catch (error) {
      if (!(error instanceof DamagedPayloadError)) throw error;
      done.damagedFiles++;
    }
    if (!hasConverted) continue;
    if (!options.skipsStore) done.items += await turnInStore(stores, fileId, options);
    onFile?.(done, files.length - at - 1);
  }
  return done;
}

function isConverted(bytes: Uint8Array): boolean {
  return listConvertedRows({ rows: readLoggedTables(bytes).map(({ rows }) => rows) }).length > 0;
}

/** Goes through all entries of the file. Entries that the store has already change nothing. */
async function turnInStore(
  { events, payloads }: OldItemStores,
  fileId: number,
  { signal, alone = (work) => work() }: TurnOptions,
): Promise<number> {
  let items = 0;
  let entries: LoggedRows[] = [];
  let rows = 0;
  let bytes = 0;
  async function save(): Promise<void> {
    const step = entries;
    if (step.length > 0) items += await alone(() => events.oldItems.convert(step));
    entries = [];
    rows = 0;
    bytes = 0;
    await sleep(PAUSE_MS);
  }
  for await (const part of payloads.readLog(fileId, 0)) {
    if (part.kind !== "entry") continue;
    const entry = decodeRowLogEntry(part.bytes, part.refOf);
    if (entry.kind !== "rows") continue;
    const converted = listConvertedRows(entry);
    if (converted.length === 0) continue;
    entries.push(entry);
    rows += converted.reduce((sum, { count }) => sum + count, 0);
    bytes += part.bytes.length;
    if (rows < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    signal?.throwIfAborted();
    await save();
  }
  await save();
  return items;
}

/** Runs once after an upgrade, as soon as the rows of files without a row log are logged. After later starts it finds nothing to do. */
export function createOldItemsJob(
  stores: OldItemStores,
  options: Omit<TurnOptions, "signal" | "onFile" | "skipsStore"> & {
    areRowsLogged: () => boolean;
    log: Log;
    now: () => number;
  },
): Job {
  const { log, now, areRowsLogged } = options;
  let isDone = false;
  return {
    name: "old-items",
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    retryMs: RETRY_MS,
    async run(signal) {
      if (isDone || !areRowsLogged()) return "idle";
      isDone = await stores.events.oldItems.areConverted();
      if (isDone) return "idle";
      try {
        const done = await convertOldItems(stores, {
          ...options,
          signal,
          onFile: (progress, filesLeft) =>
            log.info({ ...progress, filesLeft }, "spans and logs of an earlier version are rows"),
        });
        if (done.damagedFiles > 0)
          log.warn(done, "spans and logs of an earlier version stay as they are in payload files that are damaged");
        await stores.events.oldItems.noteConverted(now());
        isDone = true;
        // In a new folder there is nothing to do.
        if (done.files + done.items === 0) return "idle";
        log.info(done, "all spans and logs are rows");
        return "worked";
      } catch (error) {
        if (signal.aborted) return "worked";
        throw error;
      }
    },
  };
}
