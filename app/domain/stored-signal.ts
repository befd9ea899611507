/**
 * The kinds of stored data that are kept and deleted apart. Each has its own retention and its own payload files. The names are in file
 * names and in `SIGNAL_RETENTION_DAYS`, so none may be renamed.
 */
export const STORED_SIGNALS = [
  "errors",
  "feedback",
  "check-ins",
  "sessions",
  "metrics",
  "logs",
  "transactions",
  "spans",
  "attachments",
  "profiles",
  "replays",
  "other",
] as const;

export type StoredSignal = (typeof STORED_SIGNALS)[number];

/** For each signal, milliseconds since 1970: everything older is deleted. */
export type Cutoffs = Readonly<Record<StoredSignal, number>>;

const SIGNAL_OF_CATEGORY: ReadonlyMap<string, StoredSignal> = new Map([
  ["default", "errors"],
  ["error", "errors"],
  ["security", "errors"],
  ["finding", "errors"],
  ["feedback", "feedback"],
  ["monitor", "check-ins"],
  ["session", "sessions"],
  ["metric_bucket", "metrics"],
  ["trace_metric", "metrics"],
  ["log_item", "logs"],
  ["transaction", "transactions"],
  ["span", "spans"],
  ["uptime", "spans"],
  ["attachment", "attachments"],
  ["profile", "profiles"],
  ["profile_chunk", "profiles"],
  ["replay", "replays"],
]);

/** The signal for the data category of an item. */
export function signalOfCategory(category: string): StoredSignal {
  return SIGNAL_OF_CATEGORY.get(category) ?? "other";
}

/** The data categories of a signal; none for `other`, which has every category that no other signal has. */
export function categoriesOf(signal: StoredSignal): string[] {
  return [...SIGNAL_OF_CATEGORY].flatMap(([category, of]) => (of === signal ? [category] : []));
}

export function toCutoffs(cutoffOf: (signal: StoredSignal) => number): Cutoffs {
  return Object.fromEntries(STORED_SIGNALS.map((signal) => [signal, cutoffOf(signal)])) as Cutoffs;
}
