import { toTimeOfDay } from "../../domain/people/quiet-hours.ts";
import { listShifts, orderFrom } from "../../domain/people/rota.ts";
import type { Team } from "../../domain/people/team.ts";

export interface ShiftView {
  name: string;
  userId: number;
  from: number;
  to: number;
  /** In the time zone of the rota: `Mon 30 Nov, 09:00`. */
  fromText: string;
  toText: string;
  isOverride: boolean;
}

/** Who is on call for a team, in words. */
export interface RotaView {
  /** The present shift first. Empty: nobody in the rota is in the team any more. */
  shifts: ShiftView[];
  /** Ids of members in order, beginning with the one of this week. */
  order: number[];
  weekday: number;
  time: string;
  timezone: string;
  /** Overrides that have not ended, sorted by their start. */
  overrides: ShiftView[];
}

const SHOWN_SHIFTS = 5;

/** Null: the team has no rota. */
export function describeRota(
  { rota, memberIds }: Team,
  { members, now }: { members: ReadonlyArray<{ userId: number; name: string }>; now: number },
): RotaView | null {
  if (rota === null) return null;
  const { handover, overrides } = rota;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: handover.timezone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  const isThere = (userId: number) => memberIds.includes(userId);
  const toView = (shift: { userId: number; from: number; to: number }, isOverride: boolean): ShiftView => ({
    ...shift,
    isOverride,
    name: members.find(({ userId }) => userId === shift.userId)?.name ?? "somebody who is gone",
    fromText: format.format(shift.from),
    toText: format.format(shift.to),
  });
  return {
    shifts: listShifts(rota, { from: now, count: SHOWN_SHIFTS, isThere }).map((shift) =>
      toView(shift, shift.isOverride),
    ),
    order: orderFrom(rota, now).filter(isThere),
    weekday: handover.weekday,
    time: toTimeOfDay(handover.minute),
    timezone: handover.timezone,
    overrides: overrides
      .filter(({ to }) => to > now)
      .sort((one, other) => one.from - other.from)
      .map((override) => toView(override, true)),
  };
}
