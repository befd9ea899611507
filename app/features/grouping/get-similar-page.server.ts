import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import { findIssue } from "../issues/get-issue-page.server.ts";
import { compareGrouping, type GroupedEvent, type GroupingComparison } from "./compare-grouping.ts";
import { findShared, type SharedTraits, traitsOf } from "./similar-issues.ts";

export interface SimilarIssue {
  id: number;
  shortId: string;
  title: string;
  eventCount: number;
  shared: SharedTraits;
}

export interface SimilarPage {
  issue: { id: number; shortId: string };
  similar: SimilarIssue[];
  /** The number of issues that were compared: the most recent ones with the same type or culprit. */
  comparedCount: number;
  /** Null: no comparison was requested. */
  comparison: { other: { id: number; shortId: string; title: string }; result: GroupingComparison | null } | null;
  /** Why the request could not be answered. Null: it could. */
  problem: string | null;
}

/** The highest number of issues for each question to the store. */
const MAX_CANDIDATES = 25;
const MAX_SHOWN = 8;

/** Issues that are similar to this one. On request also why another issue or event is not part of this one. */
export async function getSimilarPage(
  workspace: Workspace,
  { issue, asked }: { issue: Issue; asked: string },
): Promise<SimilarPage> {
  const other = asked === "" ? null : await findOther(workspace, asked);
  const isWrong = asked !== "" && (other === null || other.issue.id === issue.id);
  const { similar, comparedCount } = await findSimilar(workspace, issue);
  const page = { issue: { id: issue.id, shortId: issue.shortId }, similar, comparedCount, comparison: null };
  if (isWrong)
    return { ...page, problem: other === null ? "There is no such issue or event." : "This is the same issue." };
  if (other === null) return { ...page, problem: null };
  const [left, right] = await Promise.all([
    readLatest(workspace, issue, null),
    readLatest(workspace, other.issue, other.eventId),
  ]);
  const { id, shortId, title } = other.issue;
  const result = left === null || right === null ? null : compareGrouping(left, right);
  return { ...page, comparison: { other: { id, shortId, title }, result }, problem: null };
}

/** Finds an issue by number, short id, or the id of an event. */
async function findOther(
  workspace: Workspace,
  asked: string,
): Promise<{ issue: Issue; eventId: string | null } | null> {
  const eventId = asked.replaceAll("-", "").toLowerCase();
  if (/^[0-9a-f]{32}$/.test(eventId)) {
    const row = await workspace.events.getEvent(eventId, workspace.scope.projectIds);
    const issue = row === null ? null : await workspace.state.issues.getIssue(workspace.scope, row.issueId);
    return issue === null ? null : { issue, eventId };
  }
  const issue = await findIssue(workspace, asked.trim());
  return issue ? { issue, eventId: null } : null;
}

/** Null: none of its payloads can be read. */
async function readLatest(workspace: Workspace, issue: Issue, eventId: string | null): Promise<GroupedEvent | null> {
  const { projectIds } = narrowScope(workspace.scope, [issue.projectId]);
  const filter = { projectIds, issueId: issue.id, from: null, to: null };
  const row =
    eventId === null
      ? await workspace.events.findEdge(filter, "latest")
      : await workspace.events.getEvent(eventId, projectIds);
  const stored = row === null ? null : await workspace.payloads.readEvent(row.payload);
  return stored === null || stored.grouping === null
    ? null
    : { name: issue.shortId, event: stored.event, grouping: stored.grouping };
}

async function findSimilar(
  { state, scope }: Workspace,
  issue: Issue,
): Promise<Pick<SimilarPage, "similar" | "comparedCount">> {
  const own = narrowScope(scope, [issue.projectId]);
  const [word] = [...traitsOf(issue, []).words].sort((a, b) => b.length - a.length);
  const texts = new Set(
    [issue.type, issue.culprit, word].filter((text) => text !== null && text !== undefined && text !== ""),
  );
  const pages = await Promise.all(
    Array.from(texts, (text) =>
      state.issues.listIssues(own, {
        text: [text as string],
        from: null,
        to: null,
        sort: "last_seen",
        cursor: null,
        limit: MAX_CANDIDATES,
      }),
    ),
  );
  const candidates = new Map(pages.flatMap(({ issues }) => issues.map((each) => [each.id, each] as const)));
  candidates.delete(issue.id);
  const readTraits = async (each: Issue) =>
    traitsOf(
      each,
      (await state.issues.listIssueHashes(own, each.id)).slice(0, 5).map(({ grouping }) => grouping),
    );
  const traits = await readTraits(issue);
  const found: Array<SimilarIssue & { score: number }> = [];
  for (const each of candidates.values()) {
    const match = findShared(traits, await readTraits(each));
    if (match === null) continue;
    const { id, shortId, title, eventCount } = each;
    found.push({ id, shortId, title, eventCount, ...match });
  }
  const similar = found
    .sort((a, b) => b.score - a.score || b.eventCount - a.eventCount)
    .slice(0, MAX_SHOWN)
    .map(({ score: _, ...each }) => each);
  return { similar, comparedCount: candidates.size };
}
