/** The start and end of something, in microseconds. A null end: it is an instant. */
export interface Timed {
  fromUs: number;
  toUs: number | null;
}

/**
 * The row of each item: the first free row, so that items in a row never overlap. Among items that begin together, the longest gets the
 * first row. So callers stand above what they call.
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
