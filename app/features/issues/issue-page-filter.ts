import type { Issue } from "../../domain/issue.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";
import { type IssueRange, toIssueRange } from "./issue-range.ts";

/** Further tags in a URL are ignored. */
const MAX_TAGS = 10;

export interface IssueTag {
  key: string;
  value: string;
}

/** The filter for events in the URL of an issue's page. It applies to the whole page. */
export interface IssuePageFilter {
  range: IssueRange;
  /** Empty: all environments. */
  environment: string;
  /** Events must have all of them. */
  tags: IssueTag[];
  /** The same filter for the event store. */
  events: EventFilter & { issueId: number };
}

/** Never fails: values that it does not know are ignored. */
export function readIssuePageFilter(
  scope: Scope,
  issue: Pick<Issue, "id" | "projectId" | "firstSeenAt">,
  search: URLSearchParams,
  now: number,
): IssuePageFilter {
  const range = toIssueRange(search.get("period"), { firstSeenAt: issue.firstSeenAt, now });
  const environment = search.get("environment") ?? "";
  const tags = search.getAll("tag").slice(0, MAX_TAGS).flatMap(parseTag);
  return {
    range,
    environment,
    tags,
    events: {
      projectIds: narrowScope(scope, [issue.projectId]).projectIds,
      issueId: issue.id,
      from: range.from,
      to: range.to,
      ...(environment === "" ? {} : { environments: [environment] }),
      ...(tags.length === 0 ? {} : { tags }),
    },
  };
}

function parseTag(text: string): IssueTag[] {
  const at = text.indexOf(":");
  return at > 0 ? [{ key: text.slice(0, at), value: text.slice(at + 1) }] : [];
}
