import { compareSemver, type ReleaseVersion } from "../release-version.ts";
import type { CompareSign } from "./search-tree.ts";

/**
 * Whether a release is, for example, later than the version in a search. A release that is not a semantic version never is. A version
 * without a package is compared with the releases of every package.
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
