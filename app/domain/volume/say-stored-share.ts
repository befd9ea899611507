import type { IssueHour } from "./decide-volume.ts";

/** A smaller number of stored events is not representative: of 50, a share of 10 % may be 4 to 22 % (95 %, binomial). */
const FEW_STORED = 50;

/** Sentences that say how the stored events of an issue represent all that came. Null: all are stored. */
export function sayStoredShare({ arrived, leftOut }: IssueHour): string | null {
  if (leftOut <= 0) return null;
  const stored = Math.max(0, arrived - leftOut);
  const format = (count: number) => count.toLocaleString("en");
  const of = `Of ${format(arrived)} events in these hours, ${format(stored)} ${stored === 1 ? "is" : "are"} stored.`;
  if (stored === 0) return `${of} Nobody knows the tags of the others.`;
  const times = arrived / stored;
  const factor = times >= 10 ? format(Math.round(times)) : times.toFixed(1);
  const estimate = `Shares and counts are those of the stored events: each stands for about ${factor}.`;
  return stored < FEW_STORED
    ? `${of} ${estimate} They are few, so the shares of all events may be quite different.`
    : `${of} ${estimate}`;
}
