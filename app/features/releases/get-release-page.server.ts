import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Deploy, Release } from "../../domain/release.ts";
import { listUploads, type UploadsPage } from "../source-maps/list-uploads.server.ts";
import { type ReleaseSourceMaps, sumReleaseSourceMaps } from "../source-maps/sum-release-source-maps.server.ts";
import { compareReleases, type ReleaseComparison } from "./compare-releases.server.ts";
import { getReleaseHealth, type ReleaseHealthPage } from "./get-release-health.server.ts";
import { type CommitItem, listReleaseCommits } from "./list-release-commits.server.ts";
import { sumProjects } from "./list-releases.server.ts";
import { COMMITS_ON_PAGE, RELEASE_TABS, type ReleaseTab } from "./release-paths.ts";
import { type IssueItem, toIssueItems } from "./to-issue-items.server.ts";

/** Groups of issues. A release opens with the first group that is not empty. */
const ISSUE_GROUPS = ["new", "regressed", "seen", "resolved"] as const;
export type IssueGroup = (typeof ISSUE_GROUPS)[number];

/** At most MAX_ISSUES issues of one group. */
interface ReleaseIssues {
  group: IssueGroup;
  /** `seen` counts up to 1,000, the others up to MAX_ISSUES. */
  counts: Record<IssueGroup, number>;
  issues: IssueItem[];
}

/** Issues of each group that the store lists. */
const MAX_ISSUES = 100;

/** The content of the chosen tab. */
export type ReleaseTabData =
  | ({ tab: "issues" } & ReleaseIssues)
  | { tab: "health"; health: ReleaseHealthPage }
  /** `page` counts from 1. */
  | { tab: "commits"; page: number; commits: CommitItem[] }
  | { tab: "files"; uploads: UploadsPage }
  | { tab: "deploys"; deploys: Deploy[] }
  | { tab: "compare"; comparison: ReleaseComparison | null };

export interface ReleasePage {
  release: Release;
  sums: ReturnType<typeof sumProjects>;
  projects: Array<
    Pick<Project, "id" | "slug" | "name" | "platform"> &
      Release["projects"][number] & {
        /** Null: source maps do not matter in this project. */
        sourceMaps: ReleaseSourceMaps | null;
      }
  >;
  previous: string | null;
  next: string | null;
  /** Null: the address names no existing tab. */
  content: ReleaseTabData;
}

/** A release with one of its tabs. Null: there is no such release or tab. */
export async function getReleasePage(
  workspace: Workspace,
  { version, tab: asked = "issues", url }: { version: string; tab: string | undefined; url: URL },
): Promise<ReleasePage | null> {
  const { state, scope } = workspace;
  const tab = RELEASE_TABS.find((name) => name === asked);
  const release = tab && (await state.releases.getRelease(scope, version));
  if (!release) return null;
  const [projects, previous, next] = await Promise.all([
    state.projects.listProjects(scope),
    state.releases.getPreviousRelease(scope, version),
    state.releases.getNextRelease(scope, version),
  ]);
  const byId = new Map(projects.map((project) => [project.id, project]));
  const own = release.projects.flatMap((counts) => {
    const project = byId.get(counts.projectId);
    return project ? [{ project, counts }] : [];
  });
  return {
    release,
    sums: sumProjects(release),
    projects: await Promise.all(
      own.map(async ({ project: { id, slug, name, platform }, counts }) => ({
        ...{ id, slug, name, platform, ...counts },
        sourceMaps: await sumReleaseSourceMaps(workspace, { projectId: id, release: version }),
      })),
    ),
    previous: previous?.version ?? null,
    next: next?.version ?? null,
    content: await getTab(workspace, { tab, release, previous, projects: own.map(({ project }) => project), url }),
  };
}

async function getTab(
  workspace: Workspace,
  {
    tab,
    release,
    previous,
    projects,
    url,
  }: { tab: ReleaseTab; release: Release; previous: Release | null; projects: Project[]; url: URL },
): Promise<ReleaseTabData> {
  const { state, scope } = workspace;
  const { version } = release;
  switch (tab) {
    case "issues":
      return { tab, ...(await getIssues(workspace, { version, asked: url.searchParams.get("issues") })) };
    case "health":
      return { tab, health: await getReleaseHealth(workspace, { release, params: url.searchParams, now: Date.now() }) };
    case "commits": {
      const page = toPageNumber(url.searchParams.get("page"), release.commitCount);
      return { tab, page, commits: await listReleaseCommits(workspace, { version, projects, page }) };
    }
    case "files":
      return { tab, uploads: await listUploads(workspace, { place: { release: version }, url }) };
    case "deploys":
      return { tab, deploys: await state.releases.listDeploys(scope, version) };
    case "compare":
      return { tab, comparison: await compareReleases(workspace, { release, previous, projects, url }) };
  }
}

/** The requested number of a page, limited to pages that exist. */
function toPageNumber(text: string | null, commitCount: number): number {
  const asked = /^\d{1,6}$/.test(text ?? "") ? Number(text) : 1;
  return Math.min(Math.max(asked, 1), Math.max(1, Math.ceil(commitCount / COMMITS_ON_PAGE)));
}

/** The requested group, otherwise the first one that is not empty. */
async function getIssues(
  workspace: Workspace,
  { version, asked }: { version: string; asked: string | null },
): Promise<ReleaseIssues> {
  const { state, scope } = workspace;
  const [ids, seen] = await Promise.all([
    state.releases.listReleaseIssues(scope, version),
    state.issues.listIssues(scope, {
      release: version,
      from: null,
      to: null,
      sort: "last_seen",
      cursor: null,
      limit: MAX_ISSUES,
    }),
  ]);
  const idsOf: Record<IssueGroup, number[]> = {
    new: ids.newIssueIds,
    regressed: ids.regressedIssueIds,
    seen: seen.issues.map(({ id }) => id),
    resolved: ids.resolvedIssueIds,
  };
  const group =
    ISSUE_GROUPS.find((name) => name === asked) ?? ISSUE_GROUPS.find((name) => idsOf[name].length > 0) ?? "new";
  const counts = {
    new: idsOf.new.length,
    regressed: idsOf.regressed.length,
    seen: seen.matchingCount,
    resolved: idsOf.resolved.length,
  };
  return { group, counts, issues: await toIssueItems(workspace, idsOf[group]) };
}
