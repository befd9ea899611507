/** Keys and values of log lines and spans are counted over so many days, whatever time the page shows: their sums are by the hour, and not by the search. */
export const COUNTED_DAYS = 14;
/** Of an issue, so many of its newest events. */
export const COUNTED_EVENTS = 2_000;

/** How many have a value: of the events that were looked at, a share from 0 to 1; else a number. */
export type ValueCount =
  | { share: number }
  | { count: number; of: "events" | "issues" | "lines" | "spans"; isAtLeast?: boolean };

export interface KnownValue {
  value: string;
  /** Null: nobody counted. */
  counted: ValueCount | null;
}

/** Values of a key of the search, or keys of tags and attributes. */
export interface SearchValues {
  values: KnownValue[];
  /** Whether the list is complete for these letters: then more letters need no new request. */
  isAll: boolean;
}
