/** The filters that every project has, by the names that Sentry's clients know. The ledger counts under them. */
export const BUILT_IN_FILTERS = ["browser-extensions", "legacy-browsers", "web-crawlers", "localhost"] as const;

export type BuiltInFilter = (typeof BUILT_IN_FILTERS)[number];
export type ListFilter = "release-version" | "error-message" | "ip-address";

/** Why the ledger counts an event as filtered. */
export type FilterReason = BuiltInFilter | ListFilter | `condition:${number}`;

/** The number in `condition:3`. Null for every other reason. */
export function readConditionId(reason: string): number | null {
  const digits = /^condition:([1-9]\d{0,8})$/.exec(reason)?.[1];
  return digits === undefined ? null : Number(digits);
}
