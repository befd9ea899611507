import type { Workspace } from "../../access/workspace.ts";
import type { Deploy, Release } from "../../domain/release.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { LeftOutReleases } from "../../stores/state/release-store.ts";
import { type Platform, toPlatform } from "../projects/platforms.ts";
import { listReleaseHealth, type ReleaseHealthBrief } from "./get-release-health.server.ts";
import type { ReleaseFilters } from "./release-filters.ts";

const RELEASES_PER_PAGE = 25;

export interface ReleaseListItem extends Release {
  projectMarks: Array<{ slug: string; name: string; family: Platform["family"] }>;
  lastEventAt: number | null;
  eventCount: number;
  newIssueCount: number;
  /** Null: no session named it in the last `HEALTH_LIST_DAYS` days. */
  health: ReleaseHealthBrief | null;
  /** The last deploy to each environment, newest first. */
  deploys: Deploy[];
}

export interface LeftOutDay extends LeftOutReleases {
  projectName: string;
}

/** The page mentions such a day for this long. */
const LEFT_OUT_SHOWN_MS = 14 * DAY_MS;

export interface ReleaseListView {
  releases: ReleaseListItem[];
  projects: Array<{ slug: string; name: string }>;
  nextCursor: string | null;
  previousCursor: string | null;
  /** Sentences about filters that could not be used. */
  problems: string[];
  /** Days on which events named more new releases than the limit, newest first. */
  leftOut: LeftOutDay[];
  /** Whether there is any release at all, whatever the filters. */
  hasAny: boolean;
}

/** One page of releases, with the figures of the requested projects. */
export async function listReleasePage(
  workspace: Workspace,
  { filters, now }: { filters: ReleaseFilters; now: number },
): Promise<ReleaseListView> {
  const { state, scope } = workspace;
  const projects = await state.projects.listProjects(scope);
  const bySlug = new Map(projects.map((project) => [project.slug, project]));
  const unknown = filters.projectSlugs.filter((slug) => !bySlug.has(slug));
  const chosen =
    filters.projectSlugs.length > 0
      ? narrowScope(
          scope,
          filters.projectSlugs.flatMap((slug) => bySlug.get(slug)?.id ?? []),
        )
      : scope;
  const page = await state.releases.listReleases(chosen, {
    ...(filters.status ? { status: filters.status } : {}),
    ...(filters.text ? { text: filters.text } : {}),
    sort: filters.sort,
    cursor: filters.cursor,
    limit: RELEASES_PER_PAGE,
  });
  const byId = new Map(projects.map((project) => [project.id, project]));
  const health = await listReleaseHealth(workspace, { scope: chosen, releases: page.releases, now });
  const hasAny =
    page.releases.length > 0 ||
    (await state.releases.listReleases(scope, { sort: "date", cursor: null, limit: 1 })).releases.length > 0;
  return {
    releases: await Promise.all(
      page.releases.map(async (release) => ({
        ...release,
        ...sumProjects(release),
        health: health.get(release.version) ?? null,
        projectMarks: release.projects.flatMap(({ projectId }) => {
          const project = byId.get(projectId);
          return project
            ? [{ slug: project.slug, name: project.name, family: toPlatform(project.platform).family }]
            : [];
        }),
        deploys: await listLastDeploys(workspace, release),
      })),
    ),
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    nextCursor: page.nextCursor,
    previousCursor: page.previousCursor,
    leftOut: (await state.releases.listLeftOutReleases(chosen, now - LEFT_OUT_SHOWN_MS)).flatMap((day) => {
      const project = byId.get(day.projectId);
      return project ? [{ ...day, projectName: project.name }] : [];
    }),
    problems: unknown.map((slug) => `There is no project “${slug}”.`),
    hasAny,
  };
}

/** Sums over the projects that the release was read with. */
export function sumProjects({ projects }: Pick<Release, "projects">): {
  firstEventAt: number | null;
  lastEventAt: number | null;
  eventCount: number;
  newIssueCount: number;
} {
  const instants = (name: "firstEventAt" | "lastEventAt") => projects.flatMap((project) => project[name] ?? []);
  const [first, last] = [instants("firstEventAt"), instants("lastEventAt")];
  return {
    firstEventAt: first.length > 0 ? Math.min(...first) : null,
    lastEventAt: last.length > 0 ? Math.max(...last) : null,
    eventCount: projects.reduce((sum, project) => sum + project.eventCount, 0),
    newIssueCount: projects.reduce((sum, project) => sum + project.newIssueCount, 0),
  };
}

/** Only deploys of projects that the release was read with. */
async function listLastDeploys(workspace: Workspace, release: Release): Promise<Deploy[]> {
  const { state, scope } = workspace;
  if (release.deployCount === 0) return [];
  const deploys =
    release.deployCount === 1 && release.lastDeploy
      ? [release.lastDeploy]
      : await state.releases.listDeploys(scope, release.version);
  return toLastDeploys(
    deploys.filter(
      ({ projectIds }) =>
        projectIds === null || release.projects.some(({ projectId }) => projectIds.includes(projectId)),
    ),
  );
}

/** The last deploy to each environment. `deploys`: newest first. */
function toLastDeploys(deploys: readonly Deploy[]): Deploy[] {
  const byEnvironment = new Map<string, Deploy>();
  for (const deploy of deploys) {
    if (!byEnvironment.has(deploy.environment)) byEnvironment.set(deploy.environment, deploy);
  }
  return [...byEnvironment.values()];
}
