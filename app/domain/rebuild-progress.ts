/** How far the event store has been made again after it was lost. */
export interface RebuildProgress {
  /** From 0 to 1, by bytes of payload files. */
  share: number;
  /** Rows that are there again. */
  rows: number;
}
