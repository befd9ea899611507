import type { Level } from "../../domain/level.ts";
import type { ClockSkew } from "../../domain/traces/clock-skew.ts";

/** Everything around one error on one axis. Times are microseconds since the throw; negative ones are before it. */
export interface Timeline {
  lanes: TimelineLane[];
  /** From the first item to the last. It includes the throw. */
  whole: TimeRange;
  /** From the first span of the trace to the last. Null: there is none. */
  trace: TimeRange | null;
  /** The instant of the throw in microseconds since 1970, by the clock that the others are aligned to. */
  originUs: number;
  skews: ClockSkew[];
  /** Sentences about clocks that were corrected on arrival. */
  corrections: string[];
  isAsSent: boolean;
  /** Failures before the throw, oldest first. The error itself is the last. They are only facts of the trace. */
  causes: TimelineCause[];
  /** The number of failures before the first of the causes. */
  earlierCount: number;
  /** Sentences about data that was not read. */
  leftOut: string[];
}

export interface TimeRange {
  fromUs: number;
  toUs: number;
}

export interface TimelineCause {
  /** The key of the item. */
  key: string;
  /** A name from the data. */
  name: string;
  /** Words of Culprit's own: `cancelled after 5 s`. */
  words: string;
}

export const LANE_KINDS = [
  "deploys",
  "user",
  "crumbs",
  "browser",
  "network",
  "service",
  "queries",
  "logs",
  "errors",
  "files",
  "replay",
] as const;
export type LaneKind = (typeof LANE_KINDS)[number];

export interface TimelineLane {
  /** Unique among the lanes. */
  id: string;
  kind: LaneKind;
  name: string;
  /** The service whose colour the bars have. Null: items name their own. */
  service: string | null;
  state: LaneState;
  /** What was lost of this kind at that time, although the lane has items. Null: nothing. */
  loss: LaneReason | null;
  items: TimelineItem[];
  /** The number of all items. It is larger than `items` if only failed and longest ones are drawn. */
  total: number;
  rowCount: number;
}

/** The state of a lane. `present`: it has items. */
export type LaneState = { kind: "present" } | ({ kind: "nothing" | MissingKind } & LaneReason);

/** `not-kept`: reserved for data that this version does not show. */
export type MissingKind = "not-sent" | "sampled-out" | "dropped" | "expired" | "damaged" | "not-kept";

export interface LaneReason {
  words: string;
  /** The SDK option that would have sent it. */
  option?: string;
  /** The address of a page with more details. */
  href?: string;
}

export interface TimelineItem {
  /** Unique on the timeline: `span 00f067aa0ba902b7 17`, `crumb 4`. */
  key: string;
  fromUs: number;
  /** The end. Null: the item is an instant. */
  toUs: number | null;
  row: number;
  /** A text from the data. */
  label: string;
  /** A few more words, like a status or a category. Empty: none. */
  note: string;
  /** The level of a log line or an error. Null: it has none. */
  level: Level | null;
  isFailed: boolean;
  /** The name of the service. Null: unknown. */
  service: string | null;
  /** The address of the item's own page. Null: it has none. */
  href: string | null;
  /** Further facts for the opened item. */
  facts: Array<[key: string, value: string]>;
  /** For a request: the microseconds on the way there and back. Both are drawn beside it. */
  wire?: [outUs: number, backUs: number];
  /** Set for the error that the timeline is about. */
  isThis?: true;
}

/** Facts that are known before the lanes are read. */
export interface TimelineHead {
  eventId: string;
  issueId: number;
  shortId: string | null;
  title: string;
  level: Level;
  projectSlug: string;
  traceId: string | null;
  /** Milliseconds since 1970. */
  occurredAt: number;
}
