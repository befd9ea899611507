import { setImmediate } from "node:timers/promises";
import type { Issue, IssueStatus } from "../../domain/issue.ts";
import type { Project } from "../../domain/project.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import type { Engine } from "../../engine/engine.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { refusal } from "./answers.server.ts";
import { issueChangeBody, type StatusDetails } from "./endpoints/issue-endpoints.ts";
import { readIssueFilter } from "./list-issues.server.ts";
import { readBody } from "./read-body.server.ts";
import { API_STATUS, parseApiStatus } from "./serialize-issue.ts";

/** Of one transaction: a few hundredths of a second in which the digest waits. */
const BATCH_SIZE = 100;

/**
 * `PUT …/issues/?id=1&id=2`, or all that match `?query=…` and what else the list takes; of a project also `?status=…`, or
 * neither for all of it. Those that are meant are found first, all of them, and changed in batches, between which others
 * get their turn: who is cut off half-way may ask again.
 * @throws 400 when the status is not known.
 */
export async function changeIssuesFromApi(
  engine: Engine,
  {
    project,
    url,
    request,
    userId,
    now,
  }: { project: Project | null; url: URL; request: Request; userId: number | null; now: number },
): Promise<{ status: string; statusDetails: object; matchingCount: number; changedCount: number }> {
  const { statusDetails, ...change } = await readChange(request);
  const ids = url.searchParams.getAll("id").filter((id) => id !== "");
  const issueIds =
    ids.length > 0
      ? await selectByIds(engine, ids, project)
      : await selectByFilter(engine, await readSelection(engine, { project, url, now }));
  let changedCount = 0;
  for (let at = 0; at < issueIds.length; at += BATCH_SIZE) {
    const batch = issueIds.slice(at, at + BATCH_SIZE);
    changedCount += (await engine.state.issues.changeIssueStatus({ issueIds: batch, ...change, userId, at: now }))
      .length;
    await setImmediate();
  }
  return { status: API_STATUS[change.status], statusDetails, matchingCount: issueIds.length, changedCount };
}

export async function changeIssueFromApi(
  engine: Engine,
  { issue, request, userId, now }: { issue: Issue; request: Request; userId: number | null; now: number },
): Promise<void> {
  const { statusDetails: _, ...change } = await readChange(request);
  await engine.state.issues.changeIssueStatus({ issueIds: [issue.id], ...change, userId, at: now });
}

async function selectByIds(engine: Engine, ids: string[], project: Project | null): Promise<number[]> {
  const numbers = ids.map((id) => {
    if (!/^\d{1,15}$/.test(id)) throw refusal(400, `id must be a number, not "${id.slice(0, 40)}"`);
    return Number(id);
  });
  const issues = await engine.state.issues.getIssues(numbers);
  return issues.filter((issue) => project === null || issue.projectId === project.id).map((issue) => issue.id);
}

type Selection = Omit<IssueQuery, "sort" | "cursor" | "limit">;

/** Of a whole organization nothing must be meant by accident: there it takes a query, which may be empty. */
async function readSelection(
  engine: Engine,
  { project, url, now }: { project: Project | null; url: URL; now: number },
): Promise<Selection> {
  const hasQuery = url.searchParams.has("query");
  if (project === null && !hasQuery) throw refusal(400, "id or query is required");
  const wanted = url.searchParams.get("status");
  const status = wanted === null ? null : parseApiStatus(wanted);
  if (wanted !== null && status === null) throw refusal(400, `status "${wanted.slice(0, 40)}" is not known`);
  const everything = new URL(url);
  if (!hasQuery) everything.searchParams.set("query", "");
  const filter = await readIssueFilter(engine, { project, url: everything, now });
  if (status === null) return filter;
  const { statuses } = filter;
  if (statuses && statuses.length > 0 && !statuses.includes(status))
    throw refusal(400, `status: the query leaves no issue that is ${wanted}`);
  return { ...filter, statuses: [status] };
}

/** By the date of their first event, which no change of status moves. */
async function selectByFilter(engine: Engine, selection: Selection): Promise<number[]> {
  const issueIds = new Set<number>();
  let cursor: string | null = null;
  do {
    const page = await engine.state.issues.listIssues({ ...selection, sort: "first_seen", cursor, limit: 100 });
    const sizeBefore = issueIds.size;
    for (const { id } of page.issues) issueIds.add(id);
    // A list whose rest is gone begins again at its start.
    cursor = issueIds.size > sizeBefore ? page.nextCursor : null;
    await setImmediate();
  } while (cursor !== null);
  return [...issueIds];
}

/** The status, and what a resolved issue waits for. @throws a 400 answer that names the field. */
async function readChange(
  request: Request,
): Promise<{ status: IssueStatus; resolution: ResolutionRequest | null; statusDetails: object }> {
  const { status, statusDetails } = await readBody(request, issueChangeBody);
  if (status === "resolvedInNextRelease")
    return { status: "resolved", resolution: { kind: "next_release" }, statusDetails: { inNextRelease: true } };
  const known = parseApiStatus(status) ?? "archived";
  const resolution = known === "resolved" ? toResolution(statusDetails ?? {}) : null;
  return { status: known, resolution, statusDetails: resolution ? (statusDetails ?? {}) : {} };
}

function toResolution({ inNextRelease, inRelease, inCommit }: StatusDetails): ResolutionRequest | null {
  if (inNextRelease) return { kind: "next_release" };
  if (inCommit) return { kind: "commit", commitId: inCommit.commit, repository: inCommit.repository };
  if (inRelease === undefined) return null;
  return inRelease === "latest" ? { kind: "latest_release" } : { kind: "release", version: inRelease };
}
