import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Deploy, Release } from "../../domain/release.ts";
import { listUploads, type UploadsPage } from "../source-maps/list-uploads.server.ts";
import { type ReleaseSourceMaps, sumReleaseSourceMaps } from "../source-maps/sum-release-source-maps.server.ts";
import { compareReleases, type ReleaseComparison } from "./compare-releases.server.ts";
import { type CommitItem, listReleaseCommits } from "./list-release-commits.server.ts";
import { sumProjects } from "./list-releases.server.ts";
import { RELEASE_TABS, type ReleaseTab } from "./release-paths.ts";
import { type IssueItem, toIssueItems } from "./to-issue-items.server.ts";

export const ISSUE_GROUPS = ["new", "regressed", "resolved"] as const;
export type IssueGroup = (typeof ISSUE_GROUPS)[number];

/** The content of the chosen tab. */
export type ReleaseTabData =
  | { tab: "issues"; group: IssueGroup; counts: Record<IssueGroup, number>; issues: IssueItem[] }
  | { tab: "commits"; commits: CommitItem[] }
  | { tab: "files"; uploads: UploadsPage }
  | { tab: "deploys"; deploys: Deploy[] }
  | { tab: "compare"; comparison: ReleaseComparison | null };

export interface ReleasePage {
  release: Release;
  sums: ReturnType<typeof sumProjects>;
  projects: Array<
    Pick<Project, "id" | "slug" | "name" | "platform"> &
      Release["projects"][number] & {
        /** Null: no question in this project. */
        sourceMaps: ReleaseSourceMaps | null;
      }
  >;
  previous: string | null;
  next: string | null;
  /** Null for an address that names no tab. */
  content: ReleaseTabData;
}

/** A release with one of its tabs; null when there is no such release or tab. */
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
    case "issues": {
      const group = ISSUE_GROUPS.find((name) => name === url.searchParams.get("issues")) ?? "new";
      const ids = await state.releases.listReleaseIssues(scope, version);
      const idsOf = { new: ids.newIssueIds, regressed: ids.regressedIssueIds, resolved: ids.resolvedIssueIds };
      return {
        tab,
        group,
        counts: { new: idsOf.new.length, regressed: idsOf.regressed.length, resolved: idsOf.resolved.length },
        issues: await toIssueItems(workspace, idsOf[group]),
      };
    }
    case "commits":
      return { tab, commits: await listReleaseCommits(workspace, { version, projects }) };
    case "files":
      return { tab, uploads: await listUploads(workspace, { place: { release: version }, url }) };
    case "deploys":
      return { tab, deploys: await state.releases.listDeploys(scope, version) };
    case "compare":
      return { tab, comparison: await compareReleases(workspace, { release, previous, projects, url }) };
  }
}
