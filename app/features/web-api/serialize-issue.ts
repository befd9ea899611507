import type { Issue, IssueStatus } from "../../domain/issue.ts";
import type { Project } from "../../domain/project.ts";
import { serializeProjectBrief } from "./serialize-project.ts";

/** Sentry's name of a status: what people now call archived was called ignored. */
export const API_STATUS = { unresolved: "unresolved", resolved: "resolved", archived: "ignored" } satisfies Record<
  IssueStatus,
  string
>;

/** The statuses that tools send, `muted` and `ignored` being older words for archived; null for anything else. */
export function parseApiStatus(status: unknown): IssueStatus | null {
  switch (status) {
    case "unresolved":
    case "reopened":
      return "unresolved";
    case "resolved":
      return "resolved";
    case "ignored":
    case "muted":
    case "archived":
      return "archived";
    default:
      return null;
  }
}

/** What a resolved issue waits for. */
function toStatusDetails({ status, resolution }: Issue) {
  if (status !== "resolved" || resolution === null) return {};
  switch (resolution.kind) {
    case "next_release":
      return { inNextRelease: true };
    case "release":
      return { inRelease: resolution.version };
    case "commit":
      return { inCommit: { commit: resolution.commitId, repository: resolution.repository } };
  }
}

export function serializeIssue(
  issue: Issue,
  project: Project,
  options: { baseUrl: string; stats?: Array<[number, number]> },
) {
  return {
    id: String(issue.id),
    shareId: null,
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${options.baseUrl}/issues/${issue.id}`,
    logger: issue.logger,
    level: issue.level,
    status: API_STATUS[issue.status],
    statusDetails: toStatusDetails(issue),
    substatus: issue.status === "unresolved" ? issue.substatus : null,
    isPublic: false,
    platform: issue.platform,
    project: serializeProjectBrief(project),
    type: issue.type === null ? "default" : "error",
    metadata:
      issue.type === null ? { title: issue.title } : { type: issue.type, value: issue.value, title: issue.title },
    numComments: 0,
    assignedTo: null,
    isBookmarked: false,
    isSubscribed: false,
    subscriptionDetails: null,
    hasSeen: true,
    annotations: [],
    issueType: "error",
    issueCategory: "error",
    isUnhandled: issue.isUnhandled,
    count: String(issue.eventCount),
    userCount: issue.userCount,
    firstSeen: new Date(issue.firstSeenAt).toISOString(),
    lastSeen: new Date(issue.lastSeenAt).toISOString(),
    ...(options.stats ? { stats: { "24h": options.stats } } : {}),
  };
}
