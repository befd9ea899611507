import type { StoredSignal } from "../../domain/stored-signal.ts";
import type { RebuildState } from "../../stores/events/event-rebuild.ts";
import { findMovedRows, type MovedDay } from "../../stores/events/moved-days.ts";
import type { LoggedRows } from "../../stores/events/row-log.ts";
import { readNumbers } from "../../stores/events/rows.ts";
import { takeRange } from "../sequence-ranges.ts";

/** Leaves out rows that came outside the time of the rebuild, and rows that the digest will write again itself. */
export function leaveOutOthers(entry: LoggedRows, { received, upTo }: RebuildState): LoggedRows {
  const limit = (!entry.isAddedLater && upTo?.[entry.journalId]) || Number.POSITIVE_INFINITY;
  if (received === null && entry.upTo <= limit) return entry;
  const leftOut = new Set(entry.leftOut);
  for (const rows of entry.rows) {
    const sequences = readNumbers(rows, "sequence");
    const receivedAt = received === null ? null : readNumbers(rows, "received_at");
    for (const [index, item] of rows.items.entries()) {
      if ((sequences[index] as number) >= limit) leftOut.add(item);
      const at = receivedAt?.[index];
      if (at !== undefined && received !== null && (at < received.from || at >= received.to)) leftOut.add(item);
    }
  }
  return { ...entry, upTo: Math.min(entry.upTo, limit), leftOut: [...leftOut] };
}

/** Leaves out rows that are in the file of their day. */
export function leaveOutMoved(entry: LoggedRows, days: readonly MovedDay[], { received }: RebuildState): LoggedRows {
  if (days.length === 0) return entry;
  // If the store is not lost, it still has the rows that came too late for the file.
  const all = received === null ? days : days.map((each) => ({ ...each, positions: null }));
  const leftOut = new Set(entry.leftOut);
  for (const rows of entry.rows)
    for (const row of findMovedRows(rows, entry.journalId, all)) leftOut.add(rows.items[row] as number);
  return { ...entry, leftOut: [...leftOut] };
}

/** Leaves out rows with sequences that an earlier entry has brought. Notes the sequences of this entry in the state. */
export function leaveOutWritten(entry: LoggedRows, state: RebuildState, signal: StoredSignal | null): LoggedRows {
  const isWritten = entry.isAddedLater ? () => false : takeWritten(entry, state, signal);
  const leftOut = new Set(entry.leftOut);
  for (const rows of entry.rows) {
    const sequences = readNumbers(rows, "sequence");
    for (const [index, item] of rows.items.entries()) {
      const sequence = sequences[index] as number;
      if (sequence < entry.from || isWritten(sequence)) leftOut.add(item);
    }
  }
  return { ...entry, leftOut: [...leftOut] };
}

/** Notes the sequences of the entry. Returns a test whether an earlier entry has brought a sequence. */
function takeWritten(
  entry: LoggedRows,
  { written }: RebuildState,
  signal: StoredSignal | null,
): (sequence: number) => boolean {
  // Each signal of a batch has an entry of its own, with the same sequences.
  const key = signal === null ? entry.journalId : `${entry.journalId} ${signal}`;
  written[key] ??= [];
  return takeRange(written[key], { from: entry.from, to: entry.upTo });
}
