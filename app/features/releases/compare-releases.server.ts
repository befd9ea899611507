import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import { narrowScope } from "../../domain/scope.ts";
import { toCompareUrl } from "../../domain/source-link.ts";
import { type CommitItem, listReleaseCommits } from "./list-release-commits.server.ts";
import { sumProjects } from "./list-releases.server.ts";
import { type IssueItem, toIssueItems } from "./to-issue-items.server.ts";

export interface ComparedRelease {
  version: string;
  createdAt: number;
  eventCount: number;
  newIssueCount: number;
  issueCount: number;
  firstEventAt: number | null;
  lastEventAt: number | null;
}

export interface ReleaseComparison {
  own: ComparedRelease;
  base: ComparedRelease;
  /** Other releases that can be compared, newest first. */
  choices: string[];
  only: { count: number; issues: IssueItem[] };
  gone: { count: number; issues: IssueItem[] };
  bothCount: number;
  /** Commits of this release and of those between the two, newest first. */
  commits: CommitItem[];
  /** The address of the difference at the host of the repository. Null: it is not known. */
  differenceUrl: string | null;
}

const MAX_CHOICES = 50;
/** Releases between the two whose commits are listed. */
const MAX_BETWEEN = 20;
const MAX_ISSUES = 25;
const MAX_COMMITS = 200;

/** Compares with the release before it, or with the one in the URL's `base`. Null: there is none to compare with. */
export async function compareReleases(
  workspace: Workspace,
  { release, previous, projects, url }: { release: Release; previous: Release | null; projects: Project[]; url: URL },
): Promise<ReleaseComparison | null> {
  const { state, scope } = workspace;
  const asked = url.searchParams.get("base");
  const base = (asked && asked !== release.version ? await state.releases.getRelease(scope, asked) : null) ?? previous;
  if (!base) return null;
  const projectIds = projects.map(({ id }) => id);
  const [issues, others, commits] = await Promise.all([
    state.releases.compareReleaseIssues(scope, release.version, base.version),
    state.releases.listReleases(narrowScope(scope, projectIds), { sort: "date", cursor: null, limit: MAX_CHOICES }),
    listCommitsBetween(workspace, { release, base, projects }),
  ]);
  const [only, gone] = await Promise.all([
    toIssueItems(workspace, issues.only.issueIds.slice(0, MAX_ISSUES)),
    toIssueItems(workspace, issues.gone.issueIds.slice(0, MAX_ISSUES)),
  ]);
  const choices = others.releases.map(({ version }) => version).filter((version) => version !== release.version);
  return {
    own: { ...toCompared(release), issueCount: issues.only.count + issues.both.count },
    base: { ...toCompared(base), issueCount: issues.gone.count + issues.both.count },
    choices: choices.includes(base.version) ? choices : [base.version, ...choices],
    only: { count: issues.only.count, issues: only },
    gone: { count: issues.gone.count, issues: gone },
    bothCount: issues.both.count,
    commits,
    differenceUrl: toDifferenceUrl(projects, base, release),
  };
}

function toCompared(release: Release): Omit<ComparedRelease, "issueCount"> {
  const { version, createdAt } = release;
  return { version, createdAt, ...sumProjects(release) };
}

/** Commits from this release back to the base, without duplicates. A base that is not before this release adds none. */
async function listCommitsBetween(
  workspace: Workspace,
  { release, base, projects }: { release: Release; base: Release; projects: Project[] },
): Promise<CommitItem[]> {
  const { state, scope } = workspace;
  const own = await listReleaseCommits(workspace, { version: release.version, projects });
  const byId = new Map(own.map((commit) => [`${commit.repository} ${commit.id}`, commit]));
  let before = await state.releases.getPreviousRelease(scope, release.version);
  for (let step = 0; before && before.version !== base.version && step < MAX_BETWEEN; step += 1) {
    if (byId.size >= MAX_COMMITS) return [...byId.values()].slice(0, MAX_COMMITS);
    for (const commit of await listReleaseCommits(workspace, { version: before.version, projects })) {
      const key = `${commit.repository} ${commit.id}`;
      if (!byId.has(key)) byId.set(key, commit);
    }
    before = await state.releases.getPreviousRelease(scope, before.version);
  }
  return before?.version === base.version ? [...byId.values()].slice(0, MAX_COMMITS) : own;
}

function toDifferenceUrl(projects: readonly Project[], base: Release, release: Release): string | null {
  const from = base.lastCommitId ?? base.ref;
  const to = release.lastCommitId ?? release.ref;
  if (from === null || to === null || from === to) return null;
  for (const { sourceLinks } of projects) {
    const url = sourceLinks && toCompareUrl(sourceLinks, from, to);
    if (url) return url;
  }
  return null;
}
