/** A line of the small picture of the whole trace. */
export interface MinimapLine {
  /** Number of the line from the top, below `MINIMAP_LINES`. */
  line: number;
  /** Share of the trace's duration, 0 to 1. */
  from: number;
  to: number;
  /** Index into the services of the page. */
  service: number;
}

export const MINIMAP_LINES = 14;
