import type { Level } from "../../domain/level.ts";

/** A row of the waterfall. Times are microseconds since the trace began. */
export type TraceRow = SpanRowView | GapRow;

export interface SpanRowView {
  kind: "span";
  id: string;
  /** As the address names it. */
  key: string;
  depth: number;
  /** Index into the services of the page. */
  service: number;
  op: string | null;
  name: string | null;
  startUs: number;
  durationUs: number;
  selfUs: number;
  childCount: number;
  /** Times in which no child ran, as far as they are wide enough to be seen; of a span without children none is named. */
  own: Array<[fromUs: number, toUs: number]>;
  isFolded: boolean;
  isFailed: boolean;
  /** HTTP status, or the word that was sent; null: nothing worth a word. */
  status: string | null;
  /** Id of the parent, where that did not arrive. */
  missingParentId: string | null;
  errorCount: number;
  logCount: number;
  /** Errors and log lines at the time at which they happened; of a great many the worst. */
  marks: SpanMark[];
  isMatch: boolean;
  /** It is no part of the selection: it stands here because of what is below it. */
  isBeside: boolean;
  /** Parts of it on the critical path. */
  path: Array<[fromUs: number, toUs: number]>;
}

export interface SpanMark {
  atUs: number;
  level: Level;
  isError: boolean;
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
  /** Numbers of rows that were found; of a great many the first. */
  matches: number[];
  matchCount: number;
}
