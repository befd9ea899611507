import type { OutcomeCount } from "../../app/domain/outcome.ts";
import type { Journal, JournalRefusal } from "../../app/journal/journal.ts";
import { decodeJournalEntry, type EnvelopeEntry, type JournalEntry } from "../../app/journal/journal-entry.ts";

/** A journal that keeps entries in memory, and can be made to refuse them as a full or broken disk does. */
export interface MemoryJournal extends Pick<Journal, "append" | "refusal"> {
  readonly entries: JournalEntry[];
  readonly envelopes: EnvelopeEntry[];
  /** Counts of all entries so far, those that ride with envelopes included, as `category outcome reason` → quantity. */
  outcomes(): Record<string, number>;
  /** What `refusal` gives from now on. */
  refuse(refusal: JournalRefusal | null): void;
  /** What `append` throws from now on. */
  failWith(error: Error | null): void;
}

export function createMemoryJournal(): MemoryJournal {
  const entries: JournalEntry[] = [];
  let refusal: JournalRefusal | null = null;
  let failure: Error | null = null;
  return {
    entries,
    get envelopes() {
      return entries.filter((entry) => entry.kind === "envelope");
    },
    async append(parts) {
      // As a real journal does, the answer comes later than the call.
      await new Promise((resolve) => setImmediate(resolve));
      if (failure) throw failure;
      entries.push(decodeJournalEntry(Buffer.concat(parts)));
      return entries.length - 1;
    },
    refusal: () => refusal,
    refuse(next) {
      refusal = next;
    },
    failWith(error) {
      failure = error;
    },
    outcomes() {
      const sums: Record<string, number> = {};
      const counts: OutcomeCount[] = entries.flatMap((entry) =>
        entry.kind === "envelope" ? entry.dropped : entry.outcomes,
      );
      for (const { category, outcome, reason, quantity } of counts) {
        const name = `${category} ${outcome} ${reason}`;
        sums[name] = (sums[name] ?? 0) + quantity;
      }
      return sums;
    },
  };
}
