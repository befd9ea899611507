import type { Commit, Deploy, Release } from "../../domain/release.ts";
import type { ReleaseHead } from "../../domain/repository.ts";
import type { Scope } from "../../domain/scope.ts";
import type { CompareSign } from "../../domain/search/search-tree.ts";

/** Events of a day that named new releases when there had been too many. */
export interface LeftOutReleases {
  projectId: number;
  /** Start of the day (UTC), in milliseconds since 1970. */
  dayAt: number;
  eventCount: number;
  /** The one that was named last. */
  lastVersion: string;
}

/**
 * Releases are the organization's; each belongs to the projects that named it. A release is in a scope when one of its
 * projects is; one outside of the scope is one that does not exist. A `Release` names those of its projects that are in it.
 */
export interface ReleaseStore {
  /**
   * Creates the release, or adds to the existing one: projects are added and never removed, and absent fields stay. `isNew` tells
   * which. Issues that were resolved in the next release of a project that gets it now wait for this one.
   * @throws {RangeError} when `cleanReleaseVersion` (domain/release-version.ts) refuses the version, or when the release would only be
   * of projects outside of the scope; nothing is changed then.
   */
  saveRelease(
    scope: Scope,
    input: {
      version: string;
      projectIds: number[];
      at: number;
      ref?: string | null;
      url?: string | null;
      status?: Release["status"];
      startedAt?: number | null;
      releasedAt?: number | null;
    },
  ): Promise<{ release: Release; isNew: boolean }>;
  getRelease(scope: Scope, version: string): Promise<Release | null>;
  /**
   * `date`: by `releasedAt`, else `createdAt`, newest first. `semver`: highest version first, then those that are none, by date.
   * `limit` at most 100; `cursor` opaque; `text`: case-insensitive part of the version.
   */
  listReleases(
    scope: Scope,
    query: {
      status?: Release["status"];
      text?: string;
      sort: "date" | "semver";
      cursor: string | null;
      limit: number;
    },
  ): Promise<{ releases: Release[]; nextCursor: string | null; previousCursor: string | null }>;
  /** Days that had not ended by then, newest first, at most 100. */
  listLeftOutReleases(scope: Scope, since: number): Promise<LeftOutReleases[]>;
  /** `has-events` when an event names it: then only its status can change. Its commits and deploys go with it. */
  deleteRelease(scope: Scope, version: string): Promise<"deleted" | "not-found" | "has-events">;
  /** The one before it in the order of its kind (semver of the same package, else date) among its projects' releases. */
  getPreviousRelease(scope: Scope, version: string, options?: { withCommits?: boolean }): Promise<Release | null>;
  /** The one after it, in the same order. */
  getNextRelease(scope: Scope, version: string): Promise<Release | null>;
  /** The newest of a project (null: none): where the newest by date is a semantic version, the highest of its package. */
  getLatestRelease(scope: Scope, projectId: number): Promise<Release | null>;

  /**
   * Newest first. Takes the place of those it had, and of its heads; an empty list clears them. Issues resolved in one of
   * them now wait for this release. At most 10,000 are kept, and 50,000 files of all of them, those of the newest.
   * @throws {RangeError} when there is no such release.
   */
  setCommits(scope: Scope, version: string, commits: Commit[]): Promise<void>;
  /**
   * Saves the newest commit of each repository, for a build that names no list of commits. Replaces the release's earlier
   * heads and removes no commits. A head that is not among the release's commits becomes its newest commit. The commits
   * between it and `previousCommitId` (null: the newest commit of the release before) are added when another release
   * named them. For a commit that no release named, only the hash is known, and `at` stands for its time. A name that is
   * not a hash (`HEAD`) adds no commit. A whole hash names the same commit in every repository.
   * @throws {RangeError} when there is no such release.
   */
  setHeads(scope: Scope, version: string, heads: Array<Omit<ReleaseHead, "hasCommits">>, at: number): Promise<void>;
  /** Newest first, without the `offset` newest ones; `limit` at most 1,000. */
  listCommits(scope: Scope, version: string, page: { limit: number; offset?: number }): Promise<Commit[]>;
  /**
   * Resolves the issues in the release that its commits say they fix (`findFixedShortIds`). They are issues of the release's projects. A
   * commit resolves an issue only once, whatever was done to the issue since, and however many releases have the commit. Returns how many
   * changed.
   */
  resolveFixedIssues(scope: Scope, version: string, by: { userId: number | null; at: number }): Promise<number>;
  /**
   * Commits of the release (and of up to five before it) that changed a file whose path ends like one of these, segment by
   * segment, or the other way round where two segments are the same. Newest first; one row for each file (`path`, as
   * committed) with the path that asked for it. At most 1,000.
   */
  findCommitsByPath(
    scope: Scope,
    version: string,
    paths: readonly string[],
  ): Promise<Array<Commit & { path: string; askedPath: string }>>;

  /** @throws {RangeError} when there is no such release. */
  addDeploy(scope: Scope, version: string, deploy: Omit<Deploy, "id">): Promise<Deploy>;
  /**
   * Versions of releases of the scope that stand in this order to a version (`isVersionInOrder`), those nearest to it first; at most
   * `limit`.
   */
  findVersions(scope: Scope, asked: { sign: CompareSign; version: string }, limit: number): Promise<string[]>;

  /** Newest first, at most 100. */
  listDeploys(scope: Scope, version: string): Promise<Deploy[]>;
  /** Finished in the range (inclusive, exclusive), of all releases, to mark graphs; oldest first, the latest 200. */
  listDeploysBetween(scope: Scope, from: number, to: number): Promise<Array<Deploy & { version: string }>>;

  /**
   * Ids of issues whose earliest event names the release (new), or which came back with (regressed) or are resolved in it.
   * Newest first, at most 100 each.
   */
  listReleaseIssues(
    scope: Scope,
    version: string,
  ): Promise<{ newIssueIds: number[]; regressedIssueIds: number[]; resolvedIssueIds: number[] }>;
  /**
   * Issues with events of one of the two releases and none of the other (`only`, `gone`), and with events of both: how many,
   * counted up to 1,000, and the ids of those seen last, at most 100 each.
   */
  compareReleaseIssues(
    scope: Scope,
    version: string,
    baseVersion: string,
  ): Promise<Record<"only" | "both" | "gone", { count: number; issueIds: number[] }>>;
}
