import type { Issue, IssueStatus } from "../../domain/issue.ts";
import type { Project } from "../../domain/project.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import type { Engine } from "../../engine/engine.ts";
import { refusal } from "./answers.server.ts";
import { issueChangeBody, type StatusDetails } from "./endpoints/issue-endpoints.ts";
import { readBody } from "./read-body.server.ts";
import { API_STATUS, parseApiStatus } from "./serialize-issue.ts";

/** Issues that one call may change when it names them by filter, not by id. */
const MAX_CHANGED = 1000;

/**
 * `PUT …/issues/?id=1&id=2`, `?status=unresolved`, or none of both for all of the project.
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
): Promise<{ status: string; statusDetails: object }> {
  const { statusDetails, ...change } = await readChange(request);
  const ids = url.searchParams.getAll("id").filter((id) => id !== "");
  const issueIds =
    ids.length > 0 ? await selectByIds(engine, ids, project) : await selectByStatus(engine, url, project);
  await engine.state.changeIssueStatus({ issueIds, ...change, userId, at: now });
  return { status: API_STATUS[change.status], statusDetails };
}

export async function changeIssueFromApi(
  engine: Engine,
  { issue, request, userId, now }: { issue: Issue; request: Request; userId: number | null; now: number },
): Promise<void> {
  const { statusDetails: _, ...change } = await readChange(request);
  await engine.state.changeIssueStatus({ issueIds: [issue.id], ...change, userId, at: now });
}

async function selectByIds(engine: Engine, ids: string[], project: Project | null): Promise<number[]> {
  const numbers = ids.map((id) => {
    if (!/^\d{1,15}$/.test(id)) throw refusal(400, `id must be a number, not "${id.slice(0, 40)}"`);
    return Number(id);
  });
  const issues = await engine.state.getIssues(numbers);
  return issues.filter((issue) => project === null || issue.projectId === project.id).map((issue) => issue.id);
}

async function selectByStatus(engine: Engine, url: URL, project: Project | null): Promise<number[]> {
  // Without ids every issue of a project is meant; of a whole organization that would be an accident.
  if (project === null) throw refusal(400, "id is required");
  const wanted = url.searchParams.get("status");
  const status = wanted === null ? null : parseApiStatus(wanted);
  if (wanted !== null && status === null) throw refusal(400, `status "${wanted.slice(0, 40)}" is not known`);
  const issueIds: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await engine.state.listIssues({
      projectIds: [project.id],
      from: null,
      to: null,
      ...(status === null ? {} : { statuses: [status] }),
      sort: "first_seen",
      cursor,
      limit: 100,
    });
    issueIds.push(...page.issues.map((issue) => issue.id));
    cursor = page.nextCursor;
  } while (cursor !== null && issueIds.length < MAX_CHANGED);
  return issueIds;
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
