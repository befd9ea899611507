/** From when to when something ran, in microseconds; null: it is an instant. */
export interface Timed {
  fromUs: number;
  toUs: number | null;
}

/**
 * The row of each, so that those of a row do not overlap: the first row that is free. Of those that begin together, the longer one
 * comes first, so callers stand above what they call.
 */
export function packRows(items: readonly Timed[]): number[] {
  const order = items.map((_, index) => index).sort((a, b) => compare(items[a] as Timed, items[b] as Timed));
  const rows = new Array<number>(items.length).fill(0);
  const freeFrom: number[] = [];
  for (const index of order) {
    const { fromUs, toUs } = items[index] as Timed;
    let row = freeFrom.findIndex((free) => free <= fromUs);
    if (row < 0) row = freeFrom.length;
    // An instant takes its row for a moment, or many of the same instant would share one.
    freeFrom[row] = Math.max(toUs ?? fromUs, fromUs + 1);
    rows[index] = row;
  }
  return rows;
}

function compare(a: Timed, b: Timed): number {
  return a.fromUs - b.fromUs || (b.toUs ?? b.fromUs) - (a.toUs ?? a.fromUs);
}
