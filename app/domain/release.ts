import type { ReleaseHead } from "./repository.ts";

/** A version of an application as it was built: instants are milliseconds since 1970. */
export interface Release {
  id: number;
  /** A version from `cleanReleaseVersion`: `web@1.4.0+612`, a commit's hash, or any other text. */
  version: string;
  status: "open" | "archived";
  /** Commit, tag or branch it was built from, as the tool named it. */
  ref: string | null;
  /** A page about it. */
  url: string | null;
  createdAt: number;
  startedAt: number | null;
  releasedAt: number | null;
  /** The release's projects, as far as they were asked for. */
  projects: ReleaseProject[];
  commitCount: number;
  deployCount: number;
  /** The newest of its commits. Null: it has none. */
  lastCommitId: string | null;
  /** Repositories whose newest commit the build named without a list, in its order. */
  heads: ReleaseHead[];
  lastDeploy: Deploy | null;
  /** Names of the authors of its commits, those of most commits first, at most 10. */
  authors: Array<{ name: string; email: string }>;
}

export interface ReleaseProject {
  projectId: number;
  firstEventAt: number | null;
  lastEventAt: number | null;
  eventCount: number;
  /** Issues whose first event names this release. */
  newIssueCount: number;
}

export interface Deploy {
  id: number;
  /** The projects of the release that were deployed. Null: all of them. */
  projectIds: number[] | null;
  environment: string;
  name: string | null;
  url: string | null;
  startedAt: number | null;
  finishedAt: number;
}

export interface Commit {
  /** Hash, at most 64 characters. */
  id: string;
  /** Name of the repository, as the tool sent it. */
  repository: string;
  authorName: string | null;
  authorEmail: string | null;
  /** Milliseconds since 1970. */
  at: number;
  message: string;
  /** Absent where the tool sent no list. At most 1,000 are kept. */
  files: Array<{ path: string; change: "A" | "M" | "D" }> | null;
}

/** The condition of a resolved issue. Null: only the time of the resolve decides. */
export type Resolution =
  /** Events of releases up to this one are old news. `after` is the latest release at the time of the resolve. Null: there was none. */
  | { kind: "next_release"; after: string | null }
  /** Fixed in this release: events of older ones are old news. */
  | { kind: "release"; version: string }
  /** Fixed by this commit: the first release that has it takes its place. */
  | { kind: "commit"; commitId: string; repository: string };

/**
 * What a person asks for when they resolve an issue. `next_release` without `after` means after the latest release that the issue's
 * project has at that moment. `latest_release` means that it is fixed in that latest release. In a project without releases, only the
 * time decides.
 */
export type ResolutionRequest = Resolution | { kind: "next_release"; after?: undefined } | { kind: "latest_release" };
