import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { readIssuePageFilter } from "../issues/issue-page-filter.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

const VALUES_PER_KEY = 8;

export type IssueTags = Awaited<ReturnType<typeof listIssueTags>>;

/** How the issue's events spread over their tags. */
export async function listIssueTags(
  workspace: Workspace,
  { issue, url, now }: { issue: Issue; url: URL; now: number },
) {
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, now);
  return readStoredEvents(
    workspace,
    () => workspace.events.tagDistributions(filter, { valuesPerKey: VALUES_PER_KEY }),
    ({ countedEvents }) => countedEvents === 0,
  );
}
