import type { Issue } from "../../domain/issue.ts";
import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import { refusal } from "./answers.server.ts";
import { requireOrganization } from "./authorize.server.ts";
import { serializeIssue } from "./serialize-issue.ts";

const HOUR_MS = 3_600_000;

/** By number or short id, within the organization when the path names one. @throws a 404 answer. */
export async function requireIssue(
  engine: Engine,
  params: { org?: string | undefined; issue: string },
): Promise<{ issue: Issue; project: Project }> {
  if (params.org !== undefined) await requireOrganization(engine, params.org);
  const isNumber = /^\d{1,15}$/.test(params.issue);
  const issue = isNumber
    ? await engine.state.issues.getIssue(Number(params.issue))
    : await engine.state.issues.getIssueByShortId(params.issue.toUpperCase());
  const project = issue && (await engine.state.projects.getProject(issue.projectId));
  if (!issue || !project) throw refusal(404, "The requested issue does not exist");
  return { issue, project };
}

export async function getIssueForApi(
  engine: Engine,
  { issue, project }: { issue: Issue; project: Project },
  { url, now }: { url: URL; now: number },
) {
  const to = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS;
  const from = to - 24 * HOUR_MS;
  const trends = await engine.state.issues.listTrends([issue.id], { from, to, bucketMs: HOUR_MS });
  const stats = (trends.get(issue.id) ?? []).map((count, index): [number, number] => [
    (from + index * HOUR_MS) / 1000,
    count,
  ]);
  return serializeIssue(issue, project, { baseUrl: engine.settings.publicUrl ?? url.origin, stats });
}
