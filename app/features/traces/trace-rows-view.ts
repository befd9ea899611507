import type { SpanMark } from "./mark-spans.ts";

/** A row of the waterfall. Times are microseconds since the trace began. */
export type TraceRow = SpanRowView | GapRow;

export interface SpanRowView {
  kind: "span";
  id: string;
  /** The key of the span, as in addresses. */
  key: string;
  depth: number;
  /** Index into the page's list of services. */
  service: number;
  op: string | null;
  name: string | null;
  startUs: number;
  durationUs: number;
  selfUs: number;
  childCount: number;
  /** Times in which no child ran, if they are wide enough to be seen. Empty for a span without children. */
  own: Array<[fromUs: number, toUs: number]>;
  isFolded: boolean;
  isFailed: boolean;
  /** The HTTP status, or the word that was sent. Null: there is nothing to say. */
  status: string | null;
  /** The id of a parent that did not arrive. Null: the parent is there, or there is none. */
  missingParentId: string | null;
  errorCount: number;
  logCount: number;
  /** Errors and log lines at their times. If there are a great many, the worst ones. */
  marks: SpanMark[];
  isMatch: boolean;
  /** The span is not selected. It is shown because of a span below it. */
  isBeside: boolean;
  /** The parts of the span on the critical path. */
  path: Array<[fromUs: number, toUs: number]>;
}

/** A time in which the parent ran but none of its children. */
export interface GapRow {
  kind: "gap";
  /** The id of the span after the gap. It does not identify the row alone. */
  id: string;
  depth: number;
  service: number;
  startUs: number;
  durationUs: number;
}

export interface TraceRowsWindow {
  /** Index of the first row, from 0. */
  from: number;
  rows: TraceRow[];
  /** The number of all rows. */
  count: number;
  /** Indexes of rows that match the search. If there are a great many, the first ones. */
  matches: number[];
  matchCount: number;
}
