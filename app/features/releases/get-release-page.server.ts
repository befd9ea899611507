import type { Project } from "../../domain/project.ts";
import type { Deploy, Release } from "../../domain/release.ts";
import type { State } from "../../stores/state/state.ts";
import { listUploads, type UploadsPage } from "../source-maps/list-uploads.server.ts";
import { type ReleaseSourceMaps, sumReleaseSourceMaps } from "../source-maps/sum-release-source-maps.server.ts";
import { compareReleases, type ReleaseComparison } from "./compare-releases.server.ts";
import { type CommitItem, listReleaseCommits } from "./list-release-commits.server.ts";
import { sumProjects } from "./list-releases.server.ts";
import { RELEASE_TABS, type ReleaseTab } from "./release-paths.ts";
import { type IssueItem, toIssueItems } from "./to-issue-items.server.ts";

export const ISSUE_GROUPS = ["new", "regressed", "resolved"] as const;
export type IssueGroup = (typeof ISSUE_GROUPS)[number];

/** What the chosen tab shows. */
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
  state: State,
  { version, tab: asked = "issues", url }: { version: string; tab: string | undefined; url: URL },
): Promise<ReleasePage | null> {
  const tab = RELEASE_TABS.find((name) => name === asked);
  const release = tab && (await state.releases.getRelease(version));
  if (!release) return null;
  const [projects, previous, next] = await Promise.all([
    state.projects.listProjects(),
    state.releases.getPreviousRelease(version),
    state.releases.getNextRelease(version),
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
        sourceMaps: await sumReleaseSourceMaps(state, { projectId: id, release: version }),
      })),
    ),
    previous: previous?.version ?? null,
    next: next?.version ?? null,
    content: await getTab(state, { tab, release, previous, projects: own.map(({ project }) => project), url }),
  };
}

async function getTab(
  state: State,
  {
    tab,
    release,
    previous,
    projects,
    url,
  }: { tab: ReleaseTab; release: Release; previous: Release | null; projects: Project[]; url: URL },
): Promise<ReleaseTabData> {
  const { version } = release;
  switch (tab) {
    case "issues": {
      const group = ISSUE_GROUPS.find((name) => name === url.searchParams.get("issues")) ?? "new";
      const ids = await state.releases.listReleaseIssues(version, null);
      const idsOf = { new: ids.newIssueIds, regressed: ids.regressedIssueIds, resolved: ids.resolvedIssueIds };
      return {
        tab,
        group,
        counts: { new: idsOf.new.length, regressed: idsOf.regressed.length, resolved: idsOf.resolved.length },
        issues: await toIssueItems(state, idsOf[group]),
      };
    }
    case "commits":
      return { tab, commits: await listReleaseCommits(state, { version, projects }) };
    case "files":
      return { tab, uploads: await listUploads(state.artifacts, { place: { release: version }, url }) };
    case "deploys":
      return { tab, deploys: await state.releases.listDeploys(version) };
    case "compare":
      return { tab, comparison: await compareReleases(state, { release, previous, projects, url }) };
  }
}
