/**
 * Keys and values of log lines and spans are counted over this many days, whatever time the page shows: their sums are by hour, not by
 * search.
 */
export const COUNTED_DAYS = 14;
/** The newest events of an issue that are counted. */
export const COUNTED_EVENTS = 2_000;

/** How many have a value: a share from 0 to 1 of the counted events, or a number. */
export type ValueCount =
  | { share: number }
  | { count: number; of: "events" | "issues" | "lines" | "spans"; isAtLeast?: boolean };

export interface KnownValue {
  value: string;
  /** Null: not counted. */
  counted: ValueCount | null;
}

/** Values of a key of the search, or keys of tags and attributes. */
export interface SearchValues {
  values: KnownValue[];
  /** Whether the list is complete for these letters: then more letters need no new request. */
  isAll: boolean;
}
