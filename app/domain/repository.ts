import type { CodeHost } from "./source-link.ts";

/** A repository that builds may name with a release. */
export interface Repository {
  id: number;
  /** The name that tools use: `owner/repo`. */
  name: string;
  /** Null: not known, as where a build was the first to name it. */
  provider: CodeHost | null;
  /**
   * The address of its page, without a trailing slash. Tools recognise their checkout by it. Then they name only the newest commit
   * instead of sending a list. Null: they send the list.
   */
  url: string | null;
  /** Tools are not told of disabled ones. */
  status: "active" | "disabled";
  /** Milliseconds since 1970. */
  createdAt: number;
  /** When its newest commit was made. Null: none is known. */
  lastCommitAt: number | null;
}

/** The newest commit of a repository in a release, for builds that named it without a list. */
export interface ReleaseHead {
  repository: string;
  /** The revision as the tool sent it: a hash, or a name like `v1.4` or `HEAD`, whose commit is unknown here. */
  commitId: string;
  /** The last commit of the release before. Null: the build did not say. */
  previousCommitId: string | null;
  /** Whether the commits between the two are known, from lists that other releases came with. */
  hasCommits: boolean;
}

/** Tools send this text when they know no repository. */
export function isRepositoryName(name: string): boolean {
  return name !== "" && name !== "local";
}

/** True for a text that may be a commit's hash or its beginning; false for a branch, a tag or `HEAD`. */
export function isCommitHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text);
}

/** SHA-1 or SHA-256 in hex: no two commits have the same. */
export function isWholeCommitHash(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}
