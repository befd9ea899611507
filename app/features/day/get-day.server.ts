import type { Workspace } from "../../access/workspace.ts";
import { toActivitySentence } from "../issues/activity-sentence.ts";
import { type IssueFilters, parseIssueFilters, toIssueListPath } from "../issues/issue-filters.ts";
import { type IssueListItem, listIssues } from "../issues/list-issues.server.ts";
import { sayChange } from "./say-change.ts";

/** The most issues in one part of the page. Its link leads to all. */
const MAX_SHOWN = 8;

export interface DayPart {
  key: string;
  title: string;
  /** The sentence for a part without issues. */
  none: string;
  /** The list with all issues of the part, and the words of the link to it. */
  path: string;
  link: string;
  issues: Array<IssueListItem & { change: string | null }>;
  /** Counted up to 1,000. */
  matchingCount: number;
}

const PARTS = [
  {
    key: "mine",
    title: "Mine",
    search: "is:unresolved assigned:me",
    sort: "priority",
    none: "Nothing is assigned to you.",
  },
  {
    key: "teams",
    title: "My teams’",
    search: "is:unresolved assigned:my_teams",
    sort: "priority",
    none: "Nothing is assigned to a team of yours.",
  },
  {
    key: "loud",
    title: "Unassigned and loud",
    search: "is:unresolved assigned:none priority:high",
    sort: "events",
    none: "Every issue of high priority has somebody who works on it.",
  },
] as const;

/** The issues that a person looks for in the morning: their own, those of their teams, those without an assignee, and those that changed. */
export async function getDay(workspace: Workspace, now: number): Promise<DayPart[]> {
  const [parts, changed] = await Promise.all([
    Promise.all(
      PARTS.map(async ({ search, sort, ...part }): Promise<DayPart> => {
        const filters = toFilters(search, sort);
        const { issues, matchingCount } = await listIssues(workspace, { filters, now });
        const shown = issues.slice(0, MAX_SHOWN).map((issue) => ({ ...issue, change: null }));
        return { ...part, path: toIssueListPath(filters), link: "All in the list", issues: shown, matchingCount };
      }),
    ),
    listChanged(workspace, now),
  ]);
  return [...parts, changed];
}

function toFilters(search: string, sort: IssueFilters["sort"]): IssueFilters {
  return parseIssueFilters(new URLSearchParams({ q: search, sort, range: "90d" }));
}

/** Issues that the reader works on or has bookmarked, to which something happened that they have not seen. */
async function listChanged(workspace: Workspace, now: number): Promise<DayPart> {
  const { state, scope, user } = workspace;
  const filters = toFilters("assigned:me OR assigned:my_teams OR bookmarks:me", "last_seen");
  const { issues } = await listIssues(workspace, { filters, now });
  const ids = issues.map(({ id }) => id);
  const readers = user ? await state.comments.listReaders(scope, user.id, ids) : new Map();
  const changed = await Promise.all(
    issues.map(async (issue) => {
      const seenAt: number | null = readers.get(issue.id)?.seenAt ?? null;
      const acts = (await state.issues.listActivity(scope, issue.id))
        .filter(({ at, user: by }) => by !== null && by.id !== user?.id && at > (seenAt ?? 0))
        .map(toActivitySentence);
      const change = sayChange(issue, seenAt, acts);
      return change === null ? [] : [{ ...issue, change }];
    }),
  );
  const found = changed.flat();
  return {
    key: "changed",
    title: "Changed since I last looked",
    none: "Nothing happened to the issues that you work on or have bookmarked.",
    path: toIssueListPath(filters),
    // The list can find the issues that the reader follows, but not what the reader has seen.
    link: "All that I follow",
    issues: found.slice(0, MAX_SHOWN),
    matchingCount: found.length,
  };
}
