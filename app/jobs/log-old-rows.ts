import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../domain/time.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import type { SeenEnvironment } from "../stores/events/event-log.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { encodeOldRows } from "../stores/events/row-log.ts";
import { type RowsByTable, readNumbers, readTexts } from "../stores/events/rows.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { Job } from "./runner.ts";

/** The pause after each entry of up to a thousand rows, because events and pages come first. */
const PAUSE_MS = 5;
const EVERY_MS = MINUTE_MS;
const RETRY_MS = 10 * MINUTE_MS;

export interface OldRowStores {
  events: Pick<EventStore, "rebuild" | "appliedSequence">;
  payloads: Pick<PayloadStore, "listFiles" | "addEntries">;
  journal: Pick<Journal, "id">;
}

export interface OldRowsDone {
  files: number;
  payloads: number;
}

/**
 * Writes the rows of events from versions without a row log into their payload files, so that a rebuild finds them. A file is replaced as a
 * whole, and left alone once it is done. The process may be killed at any time.
 */
export async function logOldRows(
  { events, payloads, journal }: OldRowStores,
  options: { reserveBytes: number; signal?: AbortSignal; onFile?: (done: OldRowsDone, left: number) => void },
): Promise<OldRowsDone> {
  const done: OldRowsDone = { files: 0, payloads: 0 };
  // Later versions write an entry with each append, into files of one signal.
  const files = (await payloads.listFiles()).filter(({ signal }) => signal === null);
  for (const [at, { fileId }] of files.entries()) {
    options.signal?.throwIfAborted();
    const added = await payloads.addEntries(
      fileId,
      async (range) => {
        // This is read first, so that the entry does not promise rows of later records.
        const upTo = await events.appliedSequence(journal.id);
        const rows = await events.rebuild.rowsOf(range);
        return encodeOldRows({ journalId: journal.id, upTo, rows, environments: environmentsOf(rows) });
      },
      { ...options, pause: () => sleep(PAUSE_MS) },
    );
    if (added === 0) continue;
    done.files++;
    done.payloads += added;
    options.onFile?.(done, files.length - at - 1);
  }
  return done;
}

/** Runs once after an upgrade. After later starts it finds nothing to do. */
export function createOldRowsJob(
  stores: OldRowStores,
  { log, reserveBytes }: { log: Log; reserveBytes: number },
): Job & { isDone(): boolean } {
  let isDone = false;
  return {
    isDone: () => isDone,
    name: "log-old-rows",
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    retryMs: RETRY_MS,
    async run(signal) {
      if (isDone) return "idle";
      try {
        const { files, payloads } = await logOldRows(stores, {
          reserveBytes,
          signal,
          onFile: (done, filesLeft) =>
            log.info({ ...done, filesLeft }, "rows of an earlier version are in the row log"),
        });
        isDone = true;
        return files > 0 && payloads > 0 ? "worked" : "idle";
      } catch (error) {
        if (signal.aborted) return "worked";
        throw error;
      }
    },
  };
}

/** The latest time of each environment of each project. */
function environmentsOf(rows: RowsByTable): SeenEnvironment[] {
  const latest = new Map<string, SeenEnvironment>();
  for (const table of rows) {
    const projectIds = readNumbers(table, "project_id");
    const receivedAt = readNumbers(table, "received_at");
    for (const [row, environment] of readTexts(table, "environment").entries()) {
      if (environment === null || environment === "") continue;
      const [projectId, seenAt] = [projectIds[row] as number, receivedAt[row] as number];
      const key = `${projectId} ${environment}`;
      if (seenAt > (latest.get(key)?.seenAt ?? Number.NEGATIVE_INFINITY))
        latest.set(key, { projectId, environment, seenAt });
    }
  }
  return [...latest.values()];
}
