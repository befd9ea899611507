/** The progress of building a lost event store again. */
export interface RebuildProgress {
  /** `noting`: new events wait until it is known what there was. `restoring`: they are stored as usual. */
  step: "noting" | "restoring";
  /** The share of the step that is done, from 0 to 1, by bytes of payload files. */
  share: number;
  /** Rows that are there again. */
  rows: number;
}
