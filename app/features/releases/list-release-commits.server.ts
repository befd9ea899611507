import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Commit } from "../../domain/release.ts";
import { findCommitUrl } from "./find-commit-url.ts";

export interface CommitItem extends Commit {
  /** On the host of its repository; null where that is not known. */
  url: string | null;
  /** How many files it has, also those that are not listed. */
  fileCount: number;
}

const MAX_COMMITS = 200;
/** The rest is said as a number. */
const MAX_FILES = 20;

/** Newest first. */
export async function listReleaseCommits(
  workspace: Workspace,
  { version, projects }: { version: string; projects: readonly Project[] },
): Promise<CommitItem[]> {
  const { state, scope } = workspace;
  const commits = await state.releases.listCommits(scope, version, MAX_COMMITS);
  return commits.map((commit) => ({
    ...commit,
    files: commit.files?.slice(0, MAX_FILES) ?? null,
    fileCount: commit.files?.length ?? 0,
    url: findCommitUrl(projects, commit),
  }));
}
