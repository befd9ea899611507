import type { LogLine } from "../../domain/logs/log-line.ts";
import type { TailNews } from "../../domain/logs/log-tail.ts";
import type { LiveEvent } from "../live/live-event.ts";

/** The events of a page that also asks for the feed of `/live`. */
export type PageTailEvent = TailEvent | Exclude<LiveEvent, { kind: "full" }>;

/** The data of each server-sent event of `/logs/tail`. */
export type TailEvent =
  /**
   * Lines from before this connection that its reader has missed, the latest first. `isAll` false: there were more. `since`: when
   * the reader had received everything, in milliseconds since 1970.
   */
  | { kind: "filled"; lines: LogLine[]; isAll: boolean; since: number }
  | ({ kind: "news" } & Omit<TailNews, "upTo">)
  /** There are too many readers: this one gets nothing, and may try again. */
  | { kind: "full" };
