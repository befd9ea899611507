import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Commit } from "../../domain/release.ts";
import { findFixedShortIds } from "../../domain/releases/fixed-issues.ts";
import { findCommitUrl } from "./find-commit-url.ts";
import { COMMITS_ON_PAGE } from "./release-paths.ts";

/** An issue that a commit says it fixes, with the text of the message. */
export interface FixedIssue {
  text: string;
  issueId: number;
}

export interface CommitItem extends Commit {
  /** The address of the commit at the host of its repository. Null: it is not known. */
  url: string | null;
  /** The number of all its files, including those that are not listed. */
  fileCount: number;
  /** Fixed issues in the release's projects. */
  fixes: FixedIssue[];
}

/** Files that are listed. For others, only their number is shown. */
const MAX_FILES = 20;
/** The highest number of issues that are looked up for one page. */
const MAX_FIXES = 500;

/** One page of commits, newest first. Pages count from 1. */
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

/** Issues by the texts that messages use for them. */
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
