import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Commit } from "../../domain/release.ts";
import { findFixedShortIds } from "../../domain/releases/fixed-issues.ts";
import { findCommitUrl } from "./find-commit-url.ts";
import { COMMITS_ON_PAGE } from "./release-paths.ts";

/** An issue that a message says it fixes, as it is written there. */
export interface FixedIssue {
  text: string;
  issueId: number;
}

export interface CommitItem extends Commit {
  /** On the host of its repository; null where that is not known. */
  url: string | null;
  /** How many files it has, also those that are not listed. */
  fileCount: number;
  /** Issues of the release's projects. */
  fixes: FixedIssue[];
}

/** The rest is said as a number. */
const MAX_FILES = 20;
/** Issues that are looked up for one page. */
const MAX_FIXES = 500;

/** Newest first: those of a page, which counts from 1. */
export async function listReleaseCommits(
  workspace: Workspace,
  { version, projects, page = 1 }: { version: string; projects: readonly Project[]; page?: number },
): Promise<CommitItem[]> {
  const { state, scope } = workspace;
  const offset = (page - 1) * COMMITS_ON_PAGE;
  const commits = await state.releases.listCommits(scope, version, { limit: COMMITS_ON_PAGE, offset });
  const issueIds = await findIssues(workspace, { commits, projects });
  return commits.map((commit) => ({
    ...commit,
    files: commit.files?.slice(0, MAX_FILES) ?? null,
    fileCount: commit.files?.length ?? 0,
    url: findCommitUrl(projects, commit),
    fixes: findFixedShortIds(commit.message).flatMap((text) => {
      const issueId = issueIds.get(text);
      return issueId === undefined ? [] : [{ text, issueId }];
    }),
  }));
}

/** By how messages name them. */
async function findIssues(
  { state, scope }: Workspace,
  { commits, projects }: { commits: readonly Commit[]; projects: readonly Project[] },
): Promise<Map<string, number>> {
  const texts = new Set(commits.flatMap(({ message }) => findFixedShortIds(message)));
  const projectIds = new Set(projects.map(({ id }) => id));
  const found = new Map<string, number>();
  for (const text of [...texts].slice(0, MAX_FIXES)) {
    const issue = await state.issues.getIssueByShortId(scope, text);
    if (issue && projectIds.has(issue.projectId)) found.set(text, issue.id);
  }
  return found;
}
