import { z } from "zod";
import type { Issue, IssueStatus } from "../domain/issue.ts";
import type { SubscriptionReason } from "../domain/issues/comment.ts";
import { PRIORITIES } from "../domain/issues/priority.ts";
import { type Assignee, toAssigneeText } from "../domain/issues/triage.ts";
import { type SuggestedOwner, type SuggestionReason, saySuggestion } from "../domain/ownership/suggested-owner.ts";
import type { Project } from "../domain/project.ts";
import type { IssueReader } from "../stores/state/comment-store.ts";
import { toIso } from "./answers.ts";
import { serializeArchiveRule } from "./archive-condition.ts";
import { serializeProjectBrief } from "./serialize-project.ts";
import { id, instant, projectBrief } from "./shapes.ts";

/** Sentry's words for the statuses. Archived is called ignored there, as it used to be. */
export const API_STATUS = {
  unresolved: "unresolved",
  resolved: "resolved",
  archived: "ignored",
} as const satisfies Record<IssueStatus, string>;

/** The statuses that clients send; some are older words. */
export const ISSUE_STATUS = {
  unresolved: "unresolved",
  reopened: "unresolved",
  resolved: "resolved",
  ignored: "archived",
  archived: "archived",
  muted: "archived",
} as const satisfies Record<string, IssueStatus>;
export type ApiStatus = keyof typeof ISSUE_STATUS;
export const API_STATUSES = Object.keys(ISSUE_STATUS) as ApiStatus[];

/** The condition under which a resolved or archived issue comes back. */
function toStatusDetails({ status, resolution, archive }: Issue) {
  if (archive !== null) return serializeArchiveRule(archive.rule);
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

function toSubstatus({ status, substatus, archive }: Issue): string | null {
  if (status === "resolved") return null;
  if (status === "unresolved") return substatus;
  if (archive === null) return "archived_forever";
  return archive.rule.kind === "escalates" ? "archived_until_escalating" : "archived_until_condition_met";
}

export const issueAnswer = z.object({
  id,
  shareId: z.string().nullable().describe("told once, by the PUT that made the link; else null"),
  shortId: z.string(),
  title: z.string(),
  culprit: z.string(),
  permalink: z.url(),
  logger: z.string().nullable(),
  level: z.string(),
  status: z.enum(["unresolved", "resolved", "ignored"]),
  statusDetails: z.looseObject({}),
  substatus: z.string().nullable(),
  isPublic: z.boolean().describe("whether a link for strangers works"),
  platform: z.string(),
  project: projectBrief,
  type: z.string(),
  metadata: z.object({ type: z.string().optional(), value: z.string().optional(), title: z.string() }),
  numComments: z.int(),
  assignedTo: z
    .object({ type: z.enum(["user", "team"]), id, name: z.string(), email: z.string().optional() })
    .nullable()
    .describe("`email`: for readers of members"),
  owners: z
    .array(
      z.object({
        type: z.enum(["ownershipRule", "codeowners", "suspectCommit", "lastComment"]),
        owner: z.string().describe("`user:ID` or `team:ID`"),
        name: z.string(),
        reason: z.string(),
        date_added: instant,
      }),
    )
    .optional()
    .describe("who is suggested, the strongest reason first; in lists as it was found within the last hour"),
  priority: z.enum(PRIORITIES),
  isPrioritySet: z.boolean().describe("false: level and frequency decide the priority"),
  isBookmarked: z.boolean(),
  isSubscribed: z.boolean(),
  subscriptionDetails: z.object({ reason: z.string() }).nullable(),
  seenBy: z
    .array(z.object({ id, name: z.string(), lastSeen: instant }))
    .optional()
    .describe("of one issue alone: who looked at it, the last one first"),
  hasSeen: z.boolean(),
  annotations: z.array(z.never()),
  issueType: z.string(),
  issueCategory: z.string(),
  isUnhandled: z.boolean(),
  isSettled: z
    .boolean()
    .optional()
    .describe(
      "of one issue alone: false while events are on their way to it or from it (a merge, a split, an undo), or are being deleted; until then, counts may be wrong",
    ),
  count: z.string().regex(/^\d+$/),
  userCount: z.int(),
  firstSeen: instant,
  lastSeen: instant,
  stats: z.object({ "24h": z.array(z.tuple([z.number(), z.int()])) }).optional(),
});

export interface IssueReading {
  /** Null: the token belongs to no person. */
  reader: IssueReader | null;
  commentCount: number;
  isShared: boolean;
  seenBy?: ReadonlyArray<{ id: number; name: string; seenAt: number }>;
}

/** Sentry's words for why somebody is subscribed. */
const REASONS: Record<SubscriptionReason, string> = {
  assigned: "assigned",
  commented: "commented",
  mentioned: "mentioned",
  chosen: "subscribed",
};

function serializeReading(reading: IssueReading | undefined) {
  const { reader = null, seenBy } = reading ?? {};
  return {
    isBookmarked: reader?.isBookmarked ?? false,
    isSubscribed: (reader?.subscription ?? null) !== null,
    subscriptionDetails: reader?.subscription ? { reason: REASONS[reader.subscription] } : null,
    hasSeen: (reader?.seenAt ?? null) !== null,
    ...(seenBy && {
      seenBy: seenBy.map(({ id, name, seenAt }) => ({ id: String(id), name, lastSeen: toIso(seenAt) })),
    }),
  };
}

/** `emails`: addresses by user id. */
export function serializeAssignee(assignee: Assignee | null, emails: ReadonlyMap<number, string> = new Map()) {
  if (assignee === null) return null;
  const { kind, id } = assignee;
  if (kind === "team") return { type: kind, id: String(id), name: assignee.slug };
  const email = emails.get(id);
  return { type: kind, id: String(id), name: assignee.name, ...(email === undefined ? {} : { email }) };
}

/** Sentry's words for the reason of a suggestion. `lastComment` is Culprit's own word, because Sentry has none for it. */
function toSuggestionType(reason: SuggestionReason) {
  switch (reason.kind) {
    case "rule":
      return reason.isCodeowners ? "codeowners" : "ownershipRule";
    case "commit":
      return "suspectCommit";
    case "comment":
      return "lastComment";
  }
}

function serializeSuggested({ assignee, reasons }: SuggestedOwner) {
  return reasons.map((reason) => ({
    type: toSuggestionType(reason),
    owner: toAssigneeText(assignee),
    name: assignee.kind === "team" ? assignee.slug : assignee.name,
    reason: saySuggestion(reason),
    date_added: toIso(reason.at),
  })) satisfies NonNullable<z.input<typeof issueAnswer>["owners"]>;
}

export function serializeIssue(
  issue: Issue,
  project: Project,
  options: {
    baseUrl: string;
    stats?: Array<[number, number]>;
    emails?: ReadonlyMap<number, string>;
    reading?: IssueReading;
    suggested?: readonly SuggestedOwner[] | undefined;
  },
): z.input<typeof issueAnswer> {
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
    substatus: toSubstatus(issue),
    isPublic: options.reading?.isShared ?? false,
    platform: issue.platform,
    project: serializeProjectBrief(project),
    type: issue.type === null ? "default" : "error",
    metadata:
      issue.type === null ? { title: issue.title } : { type: issue.type, value: issue.value, title: issue.title },
    numComments: options.reading?.commentCount ?? 0,
    assignedTo: serializeAssignee(issue.assignee, options.emails),
    ...(options.suggested && { owners: options.suggested.flatMap(serializeSuggested) }),
    priority: issue.priority,
    isPrioritySet: issue.isPrioritySet,
    ...serializeReading(options.reading),
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
