import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { readIssuePageFilter } from "../issues/issue-page-filter.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

const PAGE_SIZE = 25;

export type IssueEvents = Awaited<ReturnType<typeof listIssueEvents>>;

/** A page of the issue's events, newest first, and how all of them spread over their tags. */
export async function listIssueEvents(
  workspace: Workspace,
  { issue, url, now }: { issue: Issue; url: URL; now: number },
) {
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, now);
  const place = { cursor: url.searchParams.get("cursor") || null, limit: PAGE_SIZE };
  const [page, distributions] = await readStoredEvents(
    workspace,
    () =>
      Promise.all([
        workspace.events.listEvents(filter, place),
        workspace.events.tagDistributions(filter, { valuesPerKey: 8 }),
      ]),
    ([{ events }]) => events.length === 0,
  );
  return { events: page.events, previousCursor: page.previousCursor, nextCursor: page.nextCursor, distributions };
}
