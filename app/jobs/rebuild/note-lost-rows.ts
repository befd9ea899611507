import { setTimeout as sleep } from "node:timers/promises";
import type { EventStore } from "../../stores/events/event-store.ts";
import { noteEnd } from "../../stores/events/logged-ends.ts";
import { decodeRowLogEntry, type LoggedRows } from "../../stores/events/row-log.ts";
import type { PayloadStore } from "../../stores/payload-store.ts";
import { leaveOutMoved, leaveOutOthers } from "./leave-out-rows.ts";

/** Rows of one transaction, which takes some tens of milliseconds. */
const ROWS_AT_ONCE = 20_000;
const BYTES_AT_ONCE = 16_000_000;
/** The pause after each transaction, so that pages get a turn, also on one core. */
const BREATH_MS = 2;

/**
 * Reads the files for the first time. It notes the keys of their rows and counts them, so that new rows may come while these are restored.
 * It continues where it stopped. False: the signal ended it before.
 */
export async function noteLostRows(
  {
    events: { rebuild, movedDays },
    payloads,
  }: { events: Pick<EventStore, "rebuild" | "movedDays">; payloads: Pick<PayloadStore, "listFiles" | "readLog"> },
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: () => void } = {},
): Promise<boolean> {
  const begun = rebuild.state();
  if (begun === null || begun.reserved !== null) return true;
  const state = structuredClone(begun);
  state.files ??= await payloads.listFiles();
  let noted: LoggedRows[] = [];
  let rows = 0;
  let bytes = 0;
  async function save(): Promise<void> {
    await rebuild.noteLost(noted, structuredClone(state));
    onProgress?.();
    noted = [];
    rows = 0;
    bytes = 0;
    await sleep(BREATH_MS);
  }
  for (; state.fileIndex < state.files.length; state.fileIndex++, state.offset = 0) {
    const file = state.files[state.fileIndex] as (typeof state.files)[number];
    file.rows ??= {};
    for await (const part of payloads.readLog(file.fileId, state.offset)) {
      state.offset = part.endOffset;
      if (part.kind !== "entry") continue;
      const entry = decodeRowLogEntry(part.bytes, part.refOf);
      if (entry.kind !== "rows") continue;
      noted.push(leaveOutMoved(leaveOutOthers(entry, state), movedDays.list(), state));
      // If the store is not lost, a rebuild does not change its positions.
      if (state.upTo === null) noteEnd(state.ends, entry, file.signal);
      bytes += part.bytes.length;
      for (const { table, count } of entry.rows) {
        file.rows[table] = (file.rows[table] ?? 0) + count;
        rows += count;
      }
      if (rows < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
      await save();
      if (signal?.aborted) return false;
    }
  }
  await save();
  await rebuild.reserve({ ...state, fileIndex: state.files.length - 1 });
  return true;
}
