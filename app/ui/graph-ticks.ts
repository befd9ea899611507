const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface GraphTick {
  /** Milliseconds since 1970. */
  at: number;
  /** Whether it is the first moment of a day. Then the label is the day, otherwise the time. */
  isDay: boolean;
}

/** The most labels that fit under a graph on a phone. */
const MAX_TICKS = 6;
const STEPS_MS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 3, 7, 14, 28, 56, 112].map((days) => days * DAY_MS),
];

/**
 * Round moments in a span, each once: days from midnight, or steps of hours on the clock. `isLocal`: by the reader's zone, otherwise by
 * universal time. A moment at an edge is left out if others are near. Its label stands beside it, so that it is not cut, and would touch
 * the next label on a phone.
 */
export function listTicks(from: number, spanMs: number, isLocal: boolean): GraphTick[] {
  const step = STEPS_MS.find((each) => spanMs / each <= MAX_TICKS) ?? spanMs / MAX_TICKS;
  const ticks: GraphTick[] = [];
  let day = startOfDay(from, 0, isLocal);
  for (
    let days = 0;
    day < from + spanMs && ticks.length <= 4 * MAX_TICKS;
    days += Math.max(1, Math.round(step / DAY_MS))
  ) {
    day = startOfDay(from, days, isLocal);
    if (step >= DAY_MS) ticks.push({ at: day, isDay: true });
    // The hours are those of the clock. If they were counted from midnight, a day with a clock change would have 5:00, 11:00, 17:00 and
    // 23:00, and the last would touch the next day.
    else if (step > HOUR_MS)
      for (let hours = 0; hours < 24; hours += step / HOUR_MS)
        ticks.push({ at: toInstant(from, days, hours, isLocal), isDay: hours === 0 });
    // These are counted from midnight. If an hour comes twice, both have a label.
    else for (let at = day; at < startOfDay(from, days + 1, isLocal); at += step) ticks.push({ at, isDay: at === day });
  }
  const inside = ticks.filter(({ at }) => at >= from && at < from + spanMs);
  const room = step / 3;
  return inside.length > 3 ? inside.filter(({ at }) => at - from >= room && from + spanMs - at >= room) : inside;
}

/** The midnight of the day that is `days` after the day of `at`. */
function startOfDay(at: number, days: number, isLocal: boolean): number {
  return toInstant(at, days, 0, isLocal);
}

/** The instant at which the clock shows `hours`, on the day that is `days` after the day of `at`. */
function toInstant(at: number, days: number, hours: number, isLocal: boolean): number {
  const date = new Date(at);
  return isLocal
    ? new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hours).getTime()
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days, hours);
}
