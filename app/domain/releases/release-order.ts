import { parseReleaseVersion, toSemverSortKey } from "../release-version.ts";

/** The parts of a release that decide whether it is newer than another. */
export interface OrderedRelease {
  /** A release that is not saved yet has an id from `FIRST_UNSAVED_RELEASE_ID` on. */
  id: number;
  version: string;
  /** Empty: there is no package. */
  package: string;
  /** Empty: the version is not a semantic one. */
  sortKey: string;
  /** `releasedAt`, otherwise `createdAt`. */
  orderedAt: number;
}

/** Larger than every id that an engine gives: a release that is about to be created counts as newer than the stored ones. */
export const FIRST_UNSAVED_RELEASE_ID = 2 ** 52;

export function toVersionKey(version: string): Pick<OrderedRelease, "package" | "sortKey"> {
  const parsed = parseReleaseVersion(version);
  return { package: parsed.package ?? "", sortKey: parsed.semver === null ? "" : toSemverSortKey(parsed.semver) };
}

/** Negative if `a` is older: by version if both have one in the same package, otherwise by date. */
export function compareReleases(a: OrderedRelease, b: OrderedRelease): number {
  if (a.sortKey !== "" && b.sortKey !== "" && a.package === b.package && a.sortKey !== b.sortKey) {
    return a.sortKey < b.sortKey ? -1 : 1;
  }
  return a.orderedAt - b.orderedAt || a.id - b.id;
}
