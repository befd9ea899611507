import type { Workspace } from "../../access/workspace.ts";
import { BUILT_IN_SLUG, type Project } from "../../domain/project.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";

export interface ProjectSummary {
  project: Project;
  /** Whether it is the one to which Culprit itself reports. */
  isOwn: boolean;
  /** Error events stored in each of the last 24 hours, oldest first; the last one is the hour that runs. */
  hourlyEvents: number[];
  /** Unresolved issues with an event in the last 14 days, counted up to 1,000. */
  unresolvedCount: number;
}

export async function listProjectSummaries(workspace: Workspace, now: number): Promise<ProjectSummary[]> {
  const { state, scope } = workspace;
  const to = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
  const from = to - DAY_MS;
  const [projects, sums] = await Promise.all([
    state.projects.listProjects(scope),
    state.outcomes.sumOutcomes(scope, {
      from,
      to,
      bucketMs: HOUR_MS,
      groupBy: ["project"],
      outcomes: ["accepted"],
      categories: ["error", "default", "security"],
    }),
  ]);
  const series = new Map(projects.map((project) => [project.id, new Array<number>(24).fill(0)]));
  for (const sum of sums) {
    const hours = series.get(sum.projectId ?? 0);
    const index = Math.floor((sum.at - from) / HOUR_MS);
    if (hours && index >= 0 && index < 24) hours[index] = (hours[index] ?? 0) + sum.quantity;
  }
  // The server's own comes last: people look for theirs.
  const ordered = [...projects].sort((a, b) => Number(a.slug === BUILT_IN_SLUG) - Number(b.slug === BUILT_IN_SLUG));
  return Promise.all(
    ordered.map(async (project) => {
      const page = await state.issues.listIssues(narrowScope(scope, [project.id]), {
        from: now - 14 * DAY_MS,
        to: null,
        statuses: ["unresolved"],
        sort: "last_seen",
        cursor: null,
        limit: 1,
      });
      return {
        project,
        isOwn: project.slug === BUILT_IN_SLUG,
        hourlyEvents: series.get(project.id) ?? [],
        unresolvedCount: page.matchingCount,
      };
    }),
  );
}
