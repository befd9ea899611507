import type { StoredSignal } from "../../domain/stored-signal.ts";

const SIGNAL_WORDS: Record<StoredSignal, string> = {
  errors: "Errors",
  feedback: "Feedback",
  "check-ins": "Check-ins",
  sessions: "Sessions",
  metrics: "Metrics",
  logs: "Logs",
  transactions: "Transactions",
  spans: "Spans",
  attachments: "Attachments",
  profiles: "Profiles",
  replays: "Replays",
  other: "Unknown kinds",
};

/** The words for a signal. Null: files of earlier versions, which hold every signal. */
export function toSignalWords(signal: StoredSignal | null): string {
  return signal === null ? "Everything" : SIGNAL_WORDS[signal];
}

/** A list of signals in words: `Errors, logs and replays`. */
export function listSignals(signals: ReadonlyArray<StoredSignal | null>): string {
  const words = signals.map(toSignalWords).map((each, index) => (index === 0 ? each : each.toLowerCase()));
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** A day in words: `Nov 29`. `day` counts from 1970 (UTC). The year is added if it is not that of `now`. */
export function formatDay(day: number, now: number): string {
  const instant = new Date(day * 86_400_000);
  const isThisYear = instant.getUTCFullYear() === new Date(now).getUTCFullYear();
  return instant.toLocaleDateString("en", {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
}
