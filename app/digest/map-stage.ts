import { setImmediate } from "node:timers/promises";
import type { JournalRecord } from "../journal/journal.ts";
import { type DigestedPart, digestRecord, joinParts } from "./digest-records.ts";
import type { EventMapper } from "./event-mapper.ts";
import type { GroupingMoves } from "./grouping/grouping-moves.ts";
import { type MappedBatch, toMappedBatch } from "./mapped-batch.ts";

/** The first stage of the digest: from records to what is stored of them. The second stage commits it. */
export interface MapStage {
  /** How many batches it takes at the same time. */
  readonly width: number;
  /** Rejects when a store fails, and never because of what is in a record. */
  map(records: readonly JournalRecord[]): Promise<MappedBatch>;
}

/** Milliseconds of the event loop, before messages and the steps of a commit get a turn: a dozen of them, one after the other. */
const TURN_MS = 3;
const RECORDS_PER_LOOK = 4;

/**
 * Maps records on the calling thread, and gives its event loop a turn every few milliseconds.
 *
 * @param mapper absent: events are stored as they came, without source maps
 * @param groupingMoves absent: all projects began with the newest version of the grouping
 */
export function mapOnThisThread(mapper?: Pick<EventMapper, "begin">, groupingMoves?: GroupingMoves): MapStage {
  let turnEndsAt = 0;
  return {
    width: 1,
    async map(records) {
      const mapping = await mapper?.begin();
      const parts: DigestedPart[] = [];
      for (const [index, record] of records.entries()) {
        for (const part of digestRecord(record, { mapToSources: mapping?.map, groupingMoves })) parts.push(part);
        if (index % RECORDS_PER_LOOK !== 0 || performance.now() <= turnEndsAt) continue;
        await setImmediate();
        turnEndsAt = performance.now() + TURN_MS;
      }
      const digested = await joinParts(parts);
      mapping?.end();
      return toMappedBatch(digested);
    },
  };
}
