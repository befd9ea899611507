/** Attributes whose numbers are summed for one answer: each is read by itself. */
export const MAX_NUMBERS = 4;

/** Numbers that an attribute has in a group of rows. A span counts as often as its sampling rate says, a log line once. */
export interface NumberSum {
  weight: number;
  total: number;
  min: number;
  max: number;
  /** Values within 6 % of each other are one entry, with their mean. */
  values: ReadonlyArray<readonly [number: number, weight: number]>;
}
