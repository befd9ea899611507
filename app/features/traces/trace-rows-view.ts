/** A row of the waterfall. Times are microseconds since the trace began. */
export type TraceRow = SpanRowView | GapRow;

export interface SpanRowView {
  kind: "span";
  id: string;
  depth: number;
  /** Index into the services of the page. */
  service: number;
  op: string | null;
  name: string | null;
  startUs: number;
  durationUs: number;
  selfUs: number;
  childCount: number;
  isFolded: boolean;
  isFailed: boolean;
  /** HTTP status, or the word that was sent; null: nothing worth a word. */
  status: string | null;
  /** Id of the parent, where that did not arrive. */
  missingParentId: string | null;
  errorCount: number;
  logCount: number;
  isMatch: boolean;
  /** Parts of it on the critical path. */
  path: Array<[fromUs: number, toUs: number]>;
}

/** A time in which the parent ran, and none of its children did. */
export interface GapRow {
  kind: "gap";
  /** Of the span that ends it: no row is told by this alone. */
  id: string;
  depth: number;
  service: number;
  startUs: number;
  durationUs: number;
}

export interface TraceRowsWindow {
  /** Number of the first row, from 0. */
  from: number;
  rows: TraceRow[];
  /** Of all rows. */
  count: number;
  /** Numbers of rows that were found, at most `MAX_LISTED_MATCHES`. */
  matches: number[];
  matchCount: number;
}
