/** A line of the small overview of the whole trace. */
export interface MinimapLine {
  /** The number of the line, counted from the top, less than `MINIMAP_LINES`. */
  line: number;
  /** The start as a share of the trace's duration, 0 to 1. */
  from: number;
  to: number;
  /** Index into the page's list of services. */
  service: number;
}

export const MINIMAP_LINES = 14;
