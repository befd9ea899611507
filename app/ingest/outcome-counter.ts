import type { OutcomeCount } from "../domain/outcome.ts";
import { HOUR_MS } from "../domain/time.ts";
import type { Journal } from "../journal/journal.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import type { IngestLog } from "./ingest-log.ts";

/**
 * Counts items that are refused outside of accepted envelopes, and journals the counts, so that only one path writes the ledger. A process
 * that dies loses at most a quarter of a second of counts, and never an event.
 */
export interface OutcomeCounter {
  count(outcome: OutcomeCount): void;
  /**
   * Resolves when all refusals to the project's SDKs so far are in the journal, so that a later client report stands behind them there.
   * Resolves at once if there is none that a report may name. Never rejects.
   */
  settle(projectId: number): Promise<void>;
  /** Journals the remaining counts. Logs counts that the journal no longer takes. */
  close(): Promise<void>;
}

export interface OutcomeCounterOptions {
  journal: Pick<Journal, "append">;
  now: () => number;
  log: IngestLog;
}

const FLUSH_AFTER_MS = 250;
/** When the journal takes nothing, there is no hurry. */
const RETRY_AFTER_MS = 1000;
const MAX_COUNTS_PER_ENTRY = 1000;

export function createOutcomeCounter({ journal, now, log }: OutcomeCounterOptions): OutcomeCounter {
  // One sum per hour, like the ledger. That keeps the map small while the journal is full.
  let sums = new Map<string, OutcomeCount>();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<boolean> | null = null;
  let isClosed = false;

  function add(outcome: OutcomeCount): void {
    const hour = Math.floor(outcome.receivedAt / HOUR_MS);
    const key = `${outcome.projectId} ${outcome.category} ${outcome.outcome} ${outcome.reason} ${hour} ${outcome.canBeReported ?? ""}`;
    const sum = sums.get(key);
    if (sum) sum.quantity += outcome.quantity;
    else sums.set(key, { ...outcome });
  }

  function schedule(delayMs: number): void {
    if (timer !== null || isClosed) return;
    timer = setTimeout(() => {
      timer = null;
      void flush().then((isWritten) => {
        if (!isWritten) schedule(RETRY_AFTER_MS);
        else if (sums.size > 0) schedule(FLUSH_AFTER_MS);
      });
    }, delayMs);
    timer.unref();
  }

  /** False when the journal refused: the counts are then back in the sums. */
  function flush(): Promise<boolean> {
    flushing ??= write().finally(() => {
      flushing = null;
    });
    return flushing;
  }

  async function write(): Promise<boolean> {
    const pending = [...sums.values()];
    sums = new Map();
    for (let at = 0; at < pending.length; at += MAX_COUNTS_PER_ENTRY) {
      const outcomes = pending.slice(at, at + MAX_COUNTS_PER_ENTRY);
      try {
        await journal.append(encodeJournalEntry({ kind: "outcomes", receivedAt: now(), outcomes }));
      } catch {
        for (const outcome of pending.slice(at)) add(outcome);
        return false;
      }
    }
    return true;
  }

  return {
    count(outcome) {
      add(outcome);
      schedule(FLUSH_AFTER_MS);
    },
    async settle(projectId) {
      await flushing;
      const isLeft = [...sums.values()].some((sum) => sum.canBeReported && sum.projectId === projectId);
      if (isLeft) await flush();
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await flushing;
      const isWritten = sums.size === 0 || (await flush());
      if (!isWritten)
        log.error({ outcomes: [...sums.values()] }, "the journal took no more: these counts of refused items are lost");
    },
  };
}
