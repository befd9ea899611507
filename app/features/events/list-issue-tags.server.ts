import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { sayStoredShare } from "../../domain/volume/say-stored-share.ts";
import { readIssuePageFilter } from "../issues/issue-page-filter.ts";
import { nameUsers } from "./name-users.server.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

const VALUES_PER_KEY = 8;

export type IssueTags = Awaited<ReturnType<typeof listIssueTags>>;

/**
 * The distribution of the issue's events over their tags. `userNames`: display names, by the values of the tag `user`.
 * `storedShare`: what the shares mean if not all events are stored.
 */
export async function listIssueTags(
  workspace: Workspace,
  { issue, url, now }: { issue: Issue; url: URL; now: number },
) {
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, now);
  const spread = await readStoredEvents(
    workspace,
    () => workspace.events.tagDistributions(filter, { valuesPerKey: VALUES_PER_KEY }),
    ({ countedEvents }) => countedEvents === 0,
  );
  const users = spread.tags.find(({ key }) => key === "user")?.values ?? [];
  const names = await nameUsers(
    workspace,
    // The events that were counted, or few more: a large issue is not read as a whole.
    { ...filter, from: Math.min(...users.map(({ lastSeenAt }) => lastSeenAt)) },
    users.map(({ value }) => value),
  );
  const since = { projectId: issue.projectId, issueId: issue.id, since: filter.from ?? 0 };
  const storedShare = sayStoredShare(await workspace.state.volumes.sumIssue(workspace.scope, since));
  return { ...spread, storedShare, userNames: Object.fromEntries(names) };
}
