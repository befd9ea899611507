import type { Level } from "../../domain/level.ts";
import type { ClockSkew } from "../../domain/traces/clock-skew.ts";

/** What there is around one error, on one axis. Times are microseconds since the throw; negative: before it. */
export interface Timeline {
  lanes: TimelineLane[];
  /** From the first thing to the last; holds the throw. */
  whole: TimeRange;
  /** From the first span of the trace to the last; null: there is none. */
  trace: TimeRange | null;
  /** The instant 0, in microseconds since 1970 by the clock that the others are aligned to. */
  originUs: number;
  skews: ClockSkew[];
  /** Sentences about clocks that were corrected when things arrived. */
  corrections: string[];
  isAsSent: boolean;
  /** What failed before the throw, oldest first; the error itself is the last. Only facts of the trace. */
  causes: TimelineCause[];
  /** Failures before the first of the causes. */
  earlierCount: number;
  /** Sentences about what was not read. */
  leftOut: string[];
}

export interface TimeRange {
  fromUs: number;
  toUs: number;
}

export interface TimelineCause {
  /** Of the item. */
  key: string;
  /** Machine words. */
  name: string;
  /** Ours: `cancelled after 5 s`. */
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
  /** Name of the service whose colour its bars have; null: they name their own. */
  service: string | null;
  state: LaneState;
  /** What was lost of its kind at that time, although something is here. */
  loss: LaneReason | null;
  items: TimelineItem[];
  /** How many there are; more than `items` if only those are drawn that failed or took longest. */
  total: number;
  rowCount: number;
}

/** Why a lane is as it is. `present`: there is something in it. */
export type LaneState = { kind: "present" } | ({ kind: "nothing" | MissingKind } & LaneReason);

/** `not-kept`: reserved for what this version does not show. */
export type MissingKind = "not-sent" | "sampled-out" | "dropped" | "expired" | "damaged" | "not-kept";

export interface LaneReason {
  words: string;
  /** The SDK's option that would have sent it. */
  option?: string;
  /** A page that says more. */
  href?: string;
}

export interface TimelineItem {
  /** Unique on the timeline: `span 00f067aa0ba902b7 17`, `crumb 4`. */
  key: string;
  fromUs: number;
  /** Null: an instant. */
  toUs: number | null;
  row: number;
  /** Machine words. */
  label: string;
  /** A few words more: a status, a category; empty: none. */
  note: string;
  /** Of lines and errors; null: it has none. */
  level: Level | null;
  isFailed: boolean;
  /** Name of the service; null: unknown. */
  service: string | null;
  /** A page of its own. */
  href: string | null;
  /** More to read where it is opened. */
  facts: Array<[key: string, value: string]>;
  /** Of a request: how long it was on the way there and back, in microseconds; both are drawn beside it. */
  wire?: [outUs: number, backUs: number];
  /** The error that this timeline is of. */
  isThis?: true;
}

/** What is known at once, before the lanes are read. */
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
