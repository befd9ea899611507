import { MINUTE_MS } from "../../domain/time.ts";

/** Figures that a live tail has reported. */
export interface TailCounts {
  /** Lines of the last minute, oldest first. `at`: milliseconds since 1970. */
  recent: ReadonlyArray<{ at: number; arrived: number; matched: number }>;
  /** Matching lines that were left out because this browser was too slow. */
  leftOut: number;
  /** Lines that the server had no time to check. */
  notRead: number;
  /**
   * The instant before which lines may be missing because the connection was lost for too long, in milliseconds since 1970. Null:
   * none is missing.
   */
  missingSince: number | null;
}

export const NO_COUNTS: TailCounts = { recent: [], leftOut: 0, notRead: 0, missingSince: null };

export function addNews(
  counts: TailCounts,
  news: { arrived: number; matched: number; leftOut: number; notRead: number },
  now: number,
): TailCounts {
  const { arrived, matched } = news;
  return {
    ...counts,
    recent: [...counts.recent.filter(({ at }) => at > now - MINUTE_MS), { at: now, arrived, matched }],
    leftOut: counts.leftOut + news.leftOut,
    notRead: counts.notRead + news.notRead,
  };
}

const count = (value: number) => value.toLocaleString("en");
const lines = (value: number) => `${count(value)} ${value === 1 ? "line" : "lines"}`;

/** Says how many lines arrived in the last minute. */
export function sayRate({ recent }: TailCounts): string {
  const arrived = recent.reduce((sum, each) => sum + each.arrived, 0);
  const matched = recent.reduce((sum, each) => sum + each.matched, 0);
  return `${lines(arrived)} came in the last minute, ${count(matched)} ${matched === 1 ? "matches" : "match"}`;
}

/** Sentences about lines that are not in the list. */
export function sayLeftOut({ leftOut, notRead }: TailCounts, droppedCount: number): string[] {
  return [
    ...(leftOut > 0 ? [`${lines(leftOut)} left out: more match than this browser can take.`] : []),
    ...(notRead > 0 ? [`${lines(notRead)} not looked at: the server was too busy.`] : []),
    ...(droppedCount > 0 ? [`${lines(droppedCount)} waited too long and will be left out.`] : []),
  ];
}
