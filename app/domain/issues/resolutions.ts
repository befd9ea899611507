import type { Resolution, ResolutionRequest } from "../release.ts";
import { compareReleases, type OrderedRelease, toVersionKey } from "../releases/release-order.ts";

export type FindRelease = (version: string) => OrderedRelease | null;

/** An issue that waits for a release, with the instant of its last status change. */
export interface WaitingIssue {
  issueId: number;
  resolution: Resolution;
  resolvedAt: number;
}

/**
 * True when an event of the release does not bring back an issue that was resolved so. A release that is named and not
 * made yet is newer than every other, unless their versions say otherwise. While a commit waits for its release, no event
 * with a release brings the issue back: no release is known to have the fix, so none is known to have been tried.
 */
export function isOldNews(
  { resolution, resolvedAt }: Pick<WaitingIssue, "resolution" | "resolvedAt">,
  release: OrderedRelease,
  findRelease: FindRelease,
): boolean {
  switch (resolution.kind) {
    case "commit":
      return true;
    case "next_release":
      return compareReleases(release, toLastOld(resolution.after, resolvedAt, findRelease)) <= 0;
    case "release": {
      if (release.version === resolution.version) return false;
      const fixed = findRelease(resolution.version) ?? toUnknown(resolution.version, Number.POSITIVE_INFINITY);
      return compareReleases(release, fixed) < 0;
    }
  }
}

/** The version that a waiting issue is compared with. Null: there is none. */
export function toComparedVersion(resolution: Resolution): string | null {
  if (resolution.kind === "commit") return null;
  return resolution.kind === "release" ? resolution.version : resolution.after;
}

/** The issues of a project that wait for a release and that this new release settles. `hasCommit` tells whether the release has a commit. */
export function settleOnRelease(
  waiting: readonly WaitingIssue[],
  release: OrderedRelease,
  known: { findRelease: FindRelease; hasCommit: (commit: { commitId: string; repository: string }) => boolean },
): WaitingIssue[] {
  const isAnswered = ({ resolution, resolvedAt }: WaitingIssue): boolean => {
    if (resolution.kind === "release") return false;
    if (resolution.kind === "commit") return known.hasCommit(resolution);
    return compareReleases(release, toLastOld(resolution.after, resolvedAt, known.findRelease)) > 0;
  };
  return waiting
    .filter(isAnswered)
    .map((issue) => ({ ...issue, resolution: { kind: "release", version: release.version } }));
}

/** A person's request, with the releases that the project has now. */
export function toSettledResolution(
  request: ResolutionRequest | null,
  project: {
    /** The project's newest release. */
    latest: OrderedRelease | null;
    /** Its releases with the commit that was asked for. */
    withCommit: readonly OrderedRelease[];
  },
): Resolution | null {
  switch (request?.kind) {
    case undefined:
      return null;
    case "release":
      return request;
    case "latest_release":
      return project.latest === null ? null : { kind: "release", version: project.latest.version };
    case "next_release":
      return {
        kind: "next_release",
        after: request.after === undefined ? (project.latest?.version ?? null) : request.after,
      };
    case "commit": {
      const [first] = project.withCommit.toSorted(compareReleases);
      return first === undefined ? request : { kind: "release", version: first.version };
    }
  }
}

/** The last release without the fix. If it is gone, or there was none, the time of the resolve takes its place. */
function toLastOld(after: string | null, resolvedAt: number, findRelease: FindRelease): OrderedRelease {
  if (after === null)
    return { id: Number.POSITIVE_INFINITY, version: "", package: "", sortKey: "", orderedAt: resolvedAt };
  return findRelease(after) ?? toUnknown(after, resolvedAt);
}

function toUnknown(version: string, orderedAt: number): OrderedRelease {
  return { id: Number.POSITIVE_INFINITY, version, ...toVersionKey(version), orderedAt };
}
