import type { StoredSignal } from "../../domain/stored-signal.ts";
import { type AppliedAhead, NOTHING_AHEAD } from "./event-log.ts";
import type { LoggedEnd } from "./event-rebuild.ts";
import type { LoggedRows } from "./row-log.ts";

/**
 * Notes how far an entry says that its journal is applied, for the signal of its file. Entries may come in any order, including entries
 * that a crash cut off and that the digest has written again.
 */
export function noteEnd(
  ends: Record<string, LoggedEnd>,
  { journalId, upTo, batch }: Pick<LoggedRows, "journalId" | "upTo" | "batch">,
  signal: StoredSignal | null,
): void {
  ends[journalId] ??= { from: 0, upTo: 0, signals: [], repeats: [], reached: {} };
  const end = ends[journalId];
  if (signal !== null) end.reached[signal] = Math.max(end.reached[signal] ?? 0, upTo);
  if (upTo < end.upTo) return;
  // Two batches may end at the same record: one that was cut off, and the rest of it.
  const { from, signals, repeats } = upTo > end.upTo ? { from: upTo, signals: [], repeats: [] } : end;
  end.upTo = upTo;
  end.from = Math.min(from, batch?.from ?? upTo);
  end.signals = [...new Set([...signals, ...(batch?.signals ?? [])])];
  end.repeats = [...new Set([...repeats, ...(batch?.repeats ?? [])])];
}

/**
 * The position that the entries of a journal give: the end of the last batch; its beginning where a file lacks its part, because a crash came
 * between two files. Batches are written one after another, so every earlier one is whole.
 */
export function toAppliedPosition({ from, upTo, signals, repeats, reached }: LoggedEnd): {
  position: number;
  ahead: AppliedAhead;
} {
  const isWhole = signals.every((signal) => (reached[signal] ?? 0) >= upTo);
  if (isWhole) return { position: upTo, ahead: NOTHING_AHEAD };
  const beyond = Object.entries(reached).filter(([, sequence]) => sequence > from);
  return { position: from, ahead: { signals: Object.fromEntries(beyond), repeats } };
}
