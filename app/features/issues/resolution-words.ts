import type { Resolution } from "../../domain/release.ts";
import { parseReleaseVersion } from "../../domain/release-version.ts";

/** Characters of a commit's hash that are enough for people to recognise it. */
export const SHORT_COMMIT_LENGTH = 12;

/** Words after “Resolved”: `in web@1.4.0`, `in the next release after web@1.3.0`, `by commit 4f2e…`. Empty: only the time decides. */
export function sayResolution(resolution: Resolution | null): string {
  switch (resolution?.kind) {
    case undefined:
      return "";
    case "release":
      return `in ${toShortName(resolution.version)}`;
    case "next_release":
      return resolution.after === null
        ? "in the first release"
        : `in the next release after ${toShortName(resolution.after)}`;
    case "commit":
      return `by commit ${resolution.commitId.slice(0, SHORT_COMMIT_LENGTH)}${
        resolution.repository === "" ? "" : ` of ${resolution.repository}`
      }`;
  }
}

/** Says in a sentence what a resolved issue waits for. */
export function explainResolution(resolution: Resolution | null): string {
  switch (resolution?.kind) {
    case undefined:
      return "If it happens again, it comes back as regressed.";
    case "release":
      return "It comes back when it happens in that release or a newer one. Events of older releases are only counted.";
    case "next_release":
      return resolution.after === null
        ? "It comes back when it happens in a release made after the resolve."
        : "It comes back when it happens in a newer release. Events of that release and older ones are only counted.";
    case "commit":
      return "It comes back when it happens in the first release with the commit, or a newer one. Until then, events of releases are only counted.";
  }
}

/** The version with its package, and with a shortened hash. */
export function toShortName(version: string): string {
  const { package: name, shortVersion } = parseReleaseVersion(version);
  return name === null ? shortVersion : `${name}@${shortVersion}`;
}
