import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { readIssuePageFilter } from "../issues/issue-page-filter.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

const PAGE_SIZE = 25;

export type IssueEvents = Awaited<ReturnType<typeof listIssueEvents>>;

/** A page of the issue's events, newest first. */
export async function listIssueEvents(
  workspace: Workspace,
  { issue, url, now }: { issue: Issue; url: URL; now: number },
) {
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, now);
  const place = { cursor: url.searchParams.get("cursor") || null, limit: PAGE_SIZE };
  return readStoredEvents(
    workspace,
    () => workspace.events.listEvents(filter, place),
    ({ events }) => events.length === 0,
  );
}
