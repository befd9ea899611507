/** A range of time that is read at once, in microseconds since 1970: `fromUs` inclusive, `toUs` exclusive. */
export interface LogPiece {
  fromUs: number;
  toUs: number;
}

/** The length of the first piece as a share of the range. Each next piece is twice as long. */
const FIRST_SHARE = 1 / 128;
const MIN_PIECE_US = 1_000_000;

/**
 * Splits a range into pieces, newest first (oldest first with `isForward`), until `budgetMs` has passed: a search for the newest lines is
 * answered without reading the oldest. After a piece that took a quarter of the budget, no longer piece follows.
 */
export function* toLogPieces(
  { fromUs, toUs }: LogPiece,
  { budgetMs, isForward = false }: { budgetMs: number; isForward?: boolean },
): Generator<LogPiece> {
  const begin = performance.now();
  let width = Math.max(MIN_PIECE_US, Math.ceil((toUs - fromUs) * FIRST_SHARE));
  let done = 0;
  while (done < toUs - fromUs) {
    const next = Math.min(done + width, toUs - fromUs);
    const asked = performance.now();
    yield isForward ? { fromUs: fromUs + done, toUs: fromUs + next } : { fromUs: toUs - next, toUs: toUs - done };
    done = next;
    const now = performance.now();
    if (now - begin > budgetMs) return;
    if (now - asked < budgetMs / 4) width *= 2;
  }
}
