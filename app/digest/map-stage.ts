import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { GroupingMoves } from "../grouping/grouping-moves.ts";
import type { CurrentRules } from "../grouping/rules/project-rules.ts";
import type { JournalRecord } from "../journal/journal.ts";
import { decodeJournalEntry } from "../journal/journal-entry.ts";
import { EVENT_TEXTS } from "../signals/error/text-slab.ts";
import { type DigestedPart, digestRecord, joinParts } from "./digest-records.ts";
import type { EventMapper } from "./event-mapper.ts";
import type { MainThreadLoad } from "./main-thread-load.ts";
import { type MappedBatch, toMappedBatch } from "./mapped-batch.ts";
import type { RuleBook } from "./rules/rule-book.ts";

/** The first stage of the digest: it maps records to the items that are stored. The second stage commits them. */
export interface MapStage {
  /** The number of batches that it maps at the same time. */
  readonly width: number;
  /**
   * Maps the batch and yields its parts, in the order of its records. Usually it is one part. There are several if few bytes become very
   * many rows. Throws when a store fails, never because of the data in a record.
   */
  map(records: readonly JournalRecord[], options?: MapOptions): AsyncGenerator<MappedPart, void>;
}

export interface MapOptions {
  /**
   * Records below this sequence are read again after a crash. They are not filtered again: state knows which of them were left out, and the
   * rules may have changed. 0 when absent.
   */
  appliedSequence?: number;
  /** Whether somebody waits for other records on this thread. Absent: nobody does. Map threads never stand back. */
  standsBack?: () => boolean;
  /** True if many records wait: these may wait longer while a burst is accepted. */
  isBacklog?: boolean;
}

/** The mapped items of some consecutive records of a batch. */
export interface MappedPart {
  mapped: MappedBatch;
  recordCount: number;
  /** Call it when nobody uses the payloads any more: their memory is used again. Absent: the payloads have memory of their own. */
  recycle?: () => void;
}

/**
 * A part ends with the record that reaches this. Each row may have 4,000 bytes of text, so a part has some 80 MB at most, and what one
 * more record brings. Sixty requests of 1.6 KB each, of 10,000 log lines, took 4.4 GB as one batch.
 */
const MAX_ROWS = 20_000;

/**
 * Milliseconds that mapping may hold the event loop before messages and the steps of a commit get their turn; a commit has a dozen steps,
 * one after the other. Checked after each record: a record may hold a hundred spans, which take 3 ms.
 */
const TURN_MS = 1;
/** How long a batch stands back in total, in milliseconds. It bounds the delay of bulk when errors keep coming. */
const MAX_STAND_BACK_MS = 50;

/**
 * The share of time from which on the accepting thread counts as overloaded: it could accept more if the digest and its helpers used less
 * of the cores. At 1,000 events of 10 KB a second the thread is busy half of the time, at 20,000 spans a third (two cores).
 */
const BURST_SHARE = 0.7;
/** The pause after each turn during a burst, in milliseconds. It leaves a tenth of the time to the digest. */
const BURST_PAUSE_MS = 10;
/** Records that were accepted longer ago do not stand back for the accepting thread. Milliseconds. */
const MAX_BURST_MS = 10_000;

/**
 * Maps records on the calling thread, and yields to its event loop about every millisecond or record.
 *
 * @param mapper absent: events are stored as they came, without source maps
 * @param ruleBook absent: projects accept everything
 * @param groupingMoves absent: all projects began with the newest version of the grouping
 * @param rules absent: no rules change the grouping
 * @param intake the accepting thread: a backlog stands back for it during a burst. Absent: it does not
 * @param pause absent: by a timer
 */
export function mapOnThisThread(
  mapper?: Pick<EventMapper, "begin">,
  groupingMoves?: GroupingMoves,
  {
    maxRows = MAX_ROWS,
    rules,
    ruleBook,
    intake,
    pause = sleep,
  }: {
    maxRows?: number;
    rules?: Pick<CurrentRules, "read">;
    ruleBook?: Pick<RuleBook, "current">;
    intake?: Pick<MainThreadLoad, "busyShare">;
    pause?: (ms: number) => Promise<unknown>;
  } = {},
): MapStage {
  let turnEndsAt = 0;
  return {
    width: 1,
    async *map(records, { appliedSequence = 0, standsBack, isBacklog = false } = {}) {
      let next = 0;
      let stoodBackMs = 0;
      do {
        const first = next;
        const mapping = await mapper?.begin();
        const groupingRules = await rules?.read();
        const taken = (await ruleBook?.current()) ?? null;
        const parts: DigestedPart[] = [];
        let rowCount = 0;
        while (next < records.length && rowCount < maxRows) {
          const record = records[next] as JournalRecord;
          const options = {
            mapToSources: mapping?.map,
            groupingMoves,
            groupingRules,
            rules: record.sequence < appliedSequence ? null : taken,
            ...(taken && { scrubRulesOf: taken.scrubRulesOf }),
          };
          for (const part of digestRecord(record, options)) {
            parts.push(part);
            rowCount += countRows(part);
          }
          next++;
          if (performance.now() <= turnEndsAt) continue;
          await setImmediate();
          while (standsBack?.() && stoodBackMs < MAX_STAND_BACK_MS) {
            const from = performance.now();
            await pause(1);
            stoodBackMs += performance.now() - from;
          }
          const isBurst = isBacklog && intake !== undefined && intake.busyShare >= BURST_SHARE;
          if (isBurst && isYoung(record)) await pause(BURST_PAUSE_MS);
          turnEndsAt = performance.now() + TURN_MS;
        }
        const digested = await joinParts(parts);
        mapping?.end();
        const mapped = toMappedBatch(digested);
        const recycle = () => EVENT_TEXTS.give(mapped.items.flatMap(({ payload }) => payload ?? []));
        yield { mapped, recordCount: next - first, recycle };
      } while (next < records.length);
    },
  };
}

function isYoung({ bytes }: JournalRecord): boolean {
  try {
    return Date.now() - decodeJournalEntry(bytes).receivedAt < MAX_BURST_MS;
  } catch {
    // The record is no entry and will be set aside. The time of its arrival is unknown.
    return false;
  }
}

/** Counts the rows of a part. An event that waits for its source maps counts as one. */
function countRows(part: DigestedPart): number {
  if (part instanceof Promise) return 1;
  return part.items.reduce((sum, { rows }) => sum + rows.length, 0);
}
