import { BUCKET_GROWTH, EMPTY_BUCKET, quantileOf } from "../../domain/spans/duration-histogram.ts";
import type { TransactionCell } from "../../stores/events/transaction-sums.ts";
import type { SummedTransaction } from "./transaction-figures.ts";

/** A range of time, without its end. Milliseconds since 1970. */
export interface Times {
  from: number;
  to: number;
}

/** Adds up cells. Undefined: there are none. */
export function sumCells(cells: readonly TransactionCell[]): SummedTransaction | undefined {
  if (cells.length === 0) return undefined;
  const sum = { spans: 0, weight: 0, failedWeight: 0, totalUs: 0 };
  const durations = new Map<number, number>();
  for (const { bucket, spans, weight, failedWeight, totalUs } of cells) {
    sum.spans += spans;
    sum.weight += weight;
    sum.failedWeight += failedWeight;
    sum.totalUs += totalUs;
    durations.set(bucket, (durations.get(bucket) ?? 0) + weight);
  }
  return { ...sum, durations: [...durations].sort(([one], [other]) => one - other) };
}

/**
 * Finds where the slowest spans are, without reading each. The times have at least `limit` spans that took `atLeastUs` or longer, or all
 * spans that exist. Within the accuracy of histograms, no span elsewhere took longer.
 * @param unitMs the length of a cell
 */
export function findSlowTimes(
  cells: readonly TransactionCell[],
  { unitMs, limit }: { unitMs: number; limit: number },
): { within: Times[]; atLeastUs: number; fromBucket: number } {
  const slowest = cells.toSorted(
    (one, other) => other.bucket - one.bucket || other.spans - one.spans || other.at - one.at,
  );
  const { taken, spans } = takeUntil(slowest, limit);
  const lowest = taken.at(-1)?.bucket ?? EMPTY_BUCKET;
  const isAll = spans < limit || lowest === EMPTY_BUCKET;
  return {
    within: toTimes(taken, unitMs),
    atLeastUs: isAll ? 0 : Math.floor(BUCKET_GROWTH ** lowest),
    fromBucket: isAll ? EMPTY_BUCKET : lowest,
  };
}

/** The durations of the middle fifth, and the newest times with at least `limit` spans of such durations, or with all that exist. */
export function findTypicalTimes(
  cells: readonly TransactionCell[],
  { unitMs, limit }: { unitMs: number; limit: number },
): { within: Times[]; atLeastUs: number; atMostUs: number } {
  const durations = sumCells(cells)?.durations ?? [];
  const [low, high] = [quantileOf(durations, 0.4) ?? 0, quantileOf(durations, 0.6) ?? 0];
  // A quantile is the middle of its bucket, which ends 3 % above it.
  const [atLeastUs, atMostUs] = [low * 0.97, high * 1.03];
  return { within: findNewestTimes(cells, { atLeastUs, atMostUs, unitMs, limit }), atLeastUs, atMostUs };
}

/** The newest times with at least `limit` spans of about these durations, or with all that exist. */
export function findNewestTimes(
  cells: readonly TransactionCell[],
  { atLeastUs, atMostUs, unitMs, limit }: { atLeastUs: number; atMostUs: number; unitMs: number; limit: number },
): Times[] {
  const isWithin = ({ bucket }: TransactionCell) =>
    BUCKET_GROWTH ** (bucket + 0.5) >= atLeastUs && BUCKET_GROWTH ** (bucket + 0.5) <= atMostUs;
  const newest = cells.filter(isWithin).toSorted((one, other) => other.at - one.at);
  return toTimes(takeUntil(newest, limit).taken, unitMs);
}

function takeUntil(cells: readonly TransactionCell[], limit: number): { taken: TransactionCell[]; spans: number } {
  const taken: TransactionCell[] = [];
  let spans = 0;
  for (const cell of cells) {
    if (spans >= limit) break;
    taken.push(cell);
    spans += cell.spans;
  }
  return { taken, spans };
}

/** The times of the cells. Neighbours become one, because each time is searched by itself. */
function toTimes(cells: readonly TransactionCell[], unitMs: number): Times[] {
  const begins = [...new Set(cells.map(({ at }) => at))].sort((one, other) => one - other);
  const times: Times[] = [];
  for (const from of begins) {
    const last = times.at(-1);
    if (last?.to === from) last.to = from + unitMs;
    else times.push({ from, to: from + unitMs });
  }
  return times;
}
