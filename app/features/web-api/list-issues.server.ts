import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { parseIssueSearch } from "../issues/issue-search.ts";
import { takeReleaseWords } from "../issues/release-words.ts";
import { readCursor, readLimit, refusal } from "./answers.server.ts";
import { readProjectIds } from "./read-project-ids.server.ts";
import { serializeIssue } from "./serialize-issue.ts";
import { readTimeRange } from "./time-range.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const SORTS: Record<string, IssueQuery["sort"]> = {
  date: "last_seen",
  new: "first_seen",
  freq: "events",
  user: "users",
};

/** Sentry's list: `query` (default `is:unresolved`), `sort`, `project`, `environment`, `statsPeriod`, paging. */
export async function listIssuesForApi(
  engine: Engine,
  { project, url, now }: { project: Project | null; url: URL; now: number },
) {
  const sort = SORTS[url.searchParams.get("sort") ?? "date"];
  if (!sort) throw refusal(400, `sort must be one of ${Object.keys(SORTS).join(", ")}`);
  const page = await engine.state.issues.listIssues({
    ...(await readIssueFilter(engine, { project, url, now })),
    sort,
    cursor: readCursor(url),
    limit: readLimit(url, 25),
  });
  const projects = new Map((await engine.state.projects.listProjects()).map((each) => [each.id, each]));
  const to = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS;
  const from = to - DAY_MS;
  const trends = await engine.state.issues.listTrends(
    page.issues.map((issue) => issue.id),
    { from, to, bucketMs: HOUR_MS },
  );
  const baseUrl = engine.settings.publicUrl ?? url.origin;
  return {
    issues: page.issues.flatMap((issue) => {
      const owner = projects.get(issue.projectId);
      const stats = (trends.get(issue.id) ?? []).map((count, index): [number, number] => [
        (from + index * HOUR_MS) / 1000,
        count,
      ]);
      return owner ? [serializeIssue(issue, owner, { baseUrl, stats })] : [];
    }),
    nextCursor: page.nextCursor,
    previousCursor: page.previousCursor,
    matchingCount: page.matchingCount,
  };
}

/** Which issues a request is about. @throws a 400 answer that says what of it is not understood. */
export async function readIssueFilter(
  engine: Engine,
  { project, url, now }: { project: Project | null; url: URL; now: number },
): Promise<Omit<IssueQuery, "sort" | "cursor" | "limit">> {
  const releases = takeReleaseWords(url.searchParams.get("query") ?? "is:unresolved");
  const search = parseIssueSearch(releases.rest);
  const problem = releases.problems[0] ?? search.problems[0];
  if (problem) throw refusal(400, `query: ${problem}`);
  const hasRange = ["statsPeriod", "start", "end"].some((name) => url.searchParams.get(name));
  const environments = url.searchParams.getAll("environment").filter((name) => name !== "");
  return {
    projectIds: project ? [project.id] : await readProjectIds(engine, url),
    ...(environments.length > 0 ? { environments } : {}),
    ...(hasRange ? readTimeRange(url, now, 14 * DAY_MS) : { from: null, to: null }),
    ...search.filter,
    ...releases.filter,
  };
}
