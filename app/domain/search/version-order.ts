import { compareSemver, type ReleaseVersion } from "../release-version.ts";
import type { CompareSign } from "./search-tree.ts";

/**
 * Whether a release stands in that order to the version asked for. One that is no semantic version has no place in it; a
 * version that is asked for without a package is compared with those of every package.
 */
export function isVersionInOrder(release: ReleaseVersion, sign: CompareSign, asked: ReleaseVersion): boolean {
  if (release.semver === null || asked.semver === null) return false;
  if (asked.package !== null && asked.package !== release.package) return false;
  const order = compareSemver(release.semver, asked.semver);
  switch (sign) {
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
  }
}
