/** A frame of the flame graph. Times are microseconds since the trace began. */
export interface FlameFrame {
  /** As the address names the span; of several the longest. */
  key: string;
  /** From the top, from 0. */
  row: number;
  fromUs: number;
  toUs: number;
  /** Spans that it stands for: they are too narrow to be told apart. */
  count: number;
  failed: number;
  /** Of the spans, those that a search has found. */
  found: number;
  /** Index into the services of the page. */
  service: number;
  op: string | null;
  name: string | null;
  /** Of the whole span, which may reach beyond the window. */
  durationUs: number;
}

export interface FlameGraph {
  /** By row, then by time. */
  frames: FlameFrame[];
  rowCount: number;
  /** Spans that would stand below the last row. */
  leftOut: number;
  /** Spans of the selection. */
  spanCount: number;
}
