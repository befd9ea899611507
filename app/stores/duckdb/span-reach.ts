import { listTests } from "../../domain/search/condition.ts";
import { DAY_MS } from "../../domain/time.ts";
import {
  MAX_PASSED_ATTRIBUTES,
  MAX_PASSED_SPANS,
  MAX_SEARCHED_ATTRIBUTES,
  MAX_SEARCHED_SPANS,
  type SearchProgress,
  type SearchReach,
  type SpanKey,
  type SpanSearchFilter,
} from "../events/span-search.ts";
import { toHotColumn } from "./attribute-sql.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { HotColumns } from "./span-dialect.ts";
import type { SpanPiece, SpanPieces } from "./span-pieces.ts";

/** The rows that a search reads: those from `firstOrdinal` on. Null: all rows. */
export interface SpanReach extends SearchReach {
  firstOrdinal: number | null;
}

export const WHOLE_REACH: SpanReach = { firstOrdinal: null, searchedFrom: null };

/** The part that the answer shows. */
export function toReach({ firstOrdinal: _, ...reach }: SpanReach): SearchReach {
  return reach;
}

/** The keys that a condition names. */
export function toKeys({ where }: SpanSearchFilter): SpanKey[] {
  return listTests(where).map(({ field, isTag }) => ({ name: field, isTag }));
}

/**
 * Decides how far back a search reads. It reads the newest rows of its projects; the sums say how many each piece has in the range of the
 * search. Rows of other projects in between cost less, and have a limit of their own, so that a quiet project beside a loud one is searched
 * far back.
 * @param upTo rows below this ordinal are summed
 * @param pieces the summed pieces
 * @param by keys whose values are read
 */
export async function findSpanReach(
  database: DuckdbDatabase,
  pieces: SpanPieces,
  upTo: number,
  filter: SpanSearchFilter,
  by: readonly SpanKey[],
  { most, mostPassed } = toLimits([...by, ...toKeys(filter)], database.hotColumnsOf("spans")),
): Promise<SpanReach> {
  const { end } = pieces;
  if (end <= most) return WHOLE_REACH;
  const found = await findProgress(pieces, { upTo, last: end - 1, filter, most, mostPassed });
  if (found === null) return WHOLE_REACH;
  const { progress, newestUnreadDay } = found;
  const firstOrdinal = progress.next;
  const receivedAt = await pieces.receivedAt(firstOrdinal);
  const at = receivedAt === null ? null : Math.min(filter.to, toSearchedFrom(receivedAt, newestUnreadDay));
  return at !== null && at > filter.from
    ? { firstOrdinal, searchedFrom: at, progress }
    : { firstOrdinal, searchedFrom: null };
}

/**
 * The instant after which everything was searched. Rows that were converted after an upgrade, or rebuilt, have higher ordinals than rows of
 * later days. So the unread rows may be of later days, and only the time after the last such day was searched completely.
 */
function toSearchedFrom(receivedAt: number, newestUnreadDay: number | null): number {
  const isInOrder = newestUnreadDay === null || newestUnreadDay <= receivedAt / DAY_MS;
  return isInOrder ? receivedAt : (newestUnreadDay + 1) * DAY_MS;
}

function toLimits(keys: readonly SpanKey[], hot: HotColumns): { most: number; mostPassed: number } {
  return keys.some(({ name, isTag }) => isTag && !hot.has(toHotColumn(name)))
    ? { most: MAX_SEARCHED_ATTRIBUTES, mostPassed: MAX_PASSED_ATTRIBUTES }
    : { most: MAX_SEARCHED_SPANS, mostPassed: MAX_PASSED_SPANS };
}

/**
 * How far the limits allow to read. `next`: the ordinal from which rows are read. `newestUnreadDay`: the last day on which unread rows
 * arrived. Null: all rows are read.
 */
async function findProgress(
  source: SpanPieces,
  options: { upTo: number; last: number; filter: SpanSearchFilter; most: number; mostPassed: number },
): Promise<{ progress: SearchProgress; newestUnreadDay: number | null } | null> {
  const { upTo, last, filter, most, mostPassed } = options;
  const pieces = await source.list(filter, upTo);
  // Rows without sums are seldom more than one piece. They count as rows of these projects.
  const unsummed = Math.max(0, last + 1 - upTo);
  const spans = pieces.reduce((sum, piece) => sum + piece.own, unsummed);
  const end = Math.min(filter.beforeOrdinal ?? last + 1, last + 1);
  let own = Math.max(0, end - upTo);
  const stopAt = (progress: SearchProgress, unread: readonly SpanPiece[]) => ({
    progress,
    newestUnreadDay: unread.reduce<number | null>((day, piece) => Math.max(day ?? 0, piece.day), null),
  });
  if (own > most) return stopAt({ searched: unsummed - own + most, spans, next: end - most }, pieces);
  let passed = own;
  let searched = unsummed;
  for (const [at, piece] of pieces.entries()) {
    if (piece.upTo <= end) {
      own += piece.own;
      passed += piece.passed;
      if (own > most || passed > mostPassed) return stopAt({ searched, spans, next: piece.upTo }, pieces.slice(at));
    }
    searched += piece.own;
  }
  return null;
}
