/** A frame of the flame graph. Times are microseconds since the trace began. */
export interface FlameFrame {
  /** The key of the span, as in addresses. For a frame of several spans: the key of the longest. */
  key: string;
  /** The row, counted from the top, from 0. */
  row: number;
  fromUs: number;
  toUs: number;
  /** The number of spans in this frame. If there are several, they are too narrow to distinguish. */
  count: number;
  failed: number;
  /** The number of these spans that match a search. */
  found: number;
  /** Index into the page's list of services. */
  service: number;
  op: string | null;
  name: string | null;
  /** The duration of the whole span, which may reach beyond the window. */
  durationUs: number;
}

export interface FlameGraph {
  /** Sorted by row, then by time. */
  frames: FlameFrame[];
  rowCount: number;
  /** The number of spans that would be below the last row. */
  leftOut: number;
  /** The number of spans in the selection. */
  spanCount: number;
}
