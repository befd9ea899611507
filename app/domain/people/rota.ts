import { Cron } from "croner";
import { nextDue, previousDue, type Schedule } from "../monitors/schedule.ts";
import { DAY_MS } from "../time.ts";

/** Who is on call for a team: one member a week, in turn. */
export interface Rota {
  /** In the order of their turns, without repeats. At least one. Members who left the team are skipped. */
  memberIds: readonly number[];
  handover: Handover;
  /** The handover at which the first of them began. Milliseconds since 1970. */
  startsAt: number;
  /** If two overlap, the later one in the list counts. */
  overrides: readonly RotaOverride[];
}

/** When one member hands over to the next. */
export interface Handover {
  /** 1 is Monday, 7 Sunday. */
  weekday: number;
  /** Minutes after midnight. */
  minute: number;
  timezone: string;
}

/** In this period, the member is on call instead of the member whose turn it is. */
export interface RotaOverride {
  userId: number;
  from: number;
  /** Until before then. */
  to: number;
}

/** A member on call, with the period. */
export interface Shift extends RotaOverride {
  isOverride: boolean;
}

export const MAX_ROTA_MEMBERS = 50;
export const MAX_ROTA_OVERRIDES = 50;
export const MAX_OVERRIDE_MS = 60 * DAY_MS;
/** An override that is over is kept for so long: rehearsals look back. */
export const OVERRIDE_KEPT_MS = 15 * DAY_MS;

const WEEK_MS = 7 * DAY_MS;
/** The most boundaries that one search for shifts looks at. A boundary is a handover, or an end of an override. Each takes some 0.1 ms. */
const MAX_BOUNDARIES = 60;

/**
 * Who is on call at an instant. Null: nobody in the rota can be. If a clock change skips the time of a handover, it happens right after
 * the change. If the time comes twice, it happens at the first.
 * @param isThere whether somebody can be on call, as a member of the team
 */
export function findOnCall(
  { memberIds, handover, startsAt, overrides }: Rota,
  at: number,
  isThere: (userId: number) => boolean,
): { userId: number; isOverride: boolean } | null {
  const override = overrides.findLast((each) => each.from <= at && at < each.to && isThere(each.userId));
  if (override !== undefined) return { userId: override.userId, isOverride: true };
  const began = previousDue(toSchedule(handover), at) ?? startsAt;
  // Weeks with a clock change are an hour shorter or longer.
  const weeks = Math.round((began - startsAt) / WEEK_MS);
  const count = memberIds.length;
  const first = ((weeks % count) + count) % count;
  for (let passed = 0; passed < count; passed++) {
    const userId = memberIds[(first + passed) % count];
    if (userId !== undefined && isThere(userId)) return { userId, isOverride: false };
  }
  return null;
}

/** Who is on call from the instant on, shift by shift: at most `count`. The first one is the one of now. */
export function listShifts(
  rota: Rota,
  { from, count, isThere }: { from: number; count: number; isThere: (userId: number) => boolean },
): Shift[] {
  const shifts: Shift[] = [];
  let at = from;
  for (let step = 0; step < MAX_BOUNDARIES; step++) {
    const who = findOnCall(rota, at, isThere);
    if (who === null) return shifts;
    const last = shifts.at(-1);
    const isSame = last?.userId === who.userId && last.isOverride === who.isOverride;
    if (!isSame && shifts.length === count) return shifts;
    const next = nextBoundary(rota, at);
    if (last && isSame) last.to = next;
    else shifts.push({ ...who, from: at, to: next });
    at = next;
  }
  return shifts;
}

function nextBoundary({ handover, overrides }: Rota, after: number): number {
  const ends = overrides.flatMap(({ from, to }) => [from, to]).filter((each) => each > after);
  return Math.min(nextDue(toSchedule(handover), after) ?? after + WEEK_MS, ...ends);
}

/** The handover before the instant, or at it. */
export function findLastHandover(handover: Handover, at: number): number {
  return previousDue(toSchedule(handover), at) ?? at;
}

/** The members in order, beginning with the one whose week it is, whatever overrides say. */
export function orderFrom(rota: Rota, at: number): number[] {
  const who = findOnCall({ ...rota, overrides: [] }, at, () => true);
  const first = Math.max(0, rota.memberIds.indexOf(who?.userId ?? 0));
  return [...rota.memberIds.slice(first), ...rota.memberIds.slice(0, first)];
}

/** The instant of `2026-11-27T09:00` in a zone. Null: it is no day and time. */
export function parseLocalTime(text: string, timezone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return null;
  try {
    return new Cron(`${text}:00`, { timezone, paused: true }).nextRun(new Date(0))?.getTime() ?? null;
  } catch {
    return null;
  }
}

function toSchedule({ weekday, minute, timezone }: Handover): Schedule {
  const value = `${minute % 60} ${Math.floor(minute / 60)} * * ${weekday}`;
  return { schedule: { type: "crontab", value }, timezone };
}
