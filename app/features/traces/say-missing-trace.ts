import type { Retention } from "../../domain/storage/retention.ts";

interface MissingTraceFacts {
  settings: { retention: Pick<Retention, "signalDays"> };
  seesEverything: boolean;
}

/** What may have happened to a trace that does not exist. Nothing is kept about deleted traces, so the sentence names all reasons. */
export function sayMissingTrace({
  settings: {
    retention: {
      signalDays: { spans, transactions },
    },
  },
  seesEverything,
}: MissingTraceFacts): string {
  const days =
    spans === transactions
      ? `spans are deleted after ${sayDays(spans)}`
      : `spans are deleted after ${sayDays(spans)}, and those of transactions after ${sayDays(transactions)}`;
  return (
    "It may never have arrived: its SDK may not have sampled it, or it is too new to be stored. " +
    `Or it is gone: somebody may have deleted it, and ${days}.` +
    (seesEverything ? "" : " Or it is of projects that you do not see.")
  );
}

function sayDays(days: number): string {
  return days === 1 ? "a day" : `${days} days`;
}
