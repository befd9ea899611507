/** Changes of an issue about which its earlier channels are told, too. The words are those of its activity. */
export const FOLLOWED_CHANGES = [
  "resolved",
  "archived",
  "reopened",
  "assigned",
  "unassigned",
  "acknowledged",
  "unacknowledged",
] as const;
export type FollowedChange = (typeof FOLLOWED_CHANGES)[number];

/** What happened to an issue after a message named it. */
export interface IssueChange {
  issueId: number;
  kind: FollowedChange;
  /** The name of the person. Null: Culprit itself, or a token of the organization. */
  by: string | null;
  /** For `assigned`: who has the issue now. */
  assignee: string | null;
}

/** `Resolved by Ada`. */
export function sayChange({ kind, by, assignee }: Omit<IssueChange, "issueId">): string {
  const actor = by === null ? "" : ` by ${by}`;
  switch (kind) {
    case "resolved":
      return `Resolved${actor}`;
    case "archived":
      return `Archived${actor}`;
    case "reopened":
      return `Reopened${actor}`;
    case "assigned":
      return `Assigned${assignee === null ? "" : ` to ${assignee}`}${actor}`;
    case "unassigned":
      return `Unassigned${actor}`;
    case "acknowledged":
      return `Acknowledged${actor}`;
    case "unacknowledged":
      return `Not acknowledged any more${actor}`;
  }
}

const STATUSES: readonly FollowedChange[] = ["resolved", "archived", "reopened"];

/**
 * Picks the change that a message shows for each issue, from the changes in their order. It is the last change of status; if there is
 * none, the last assignment. A reopened issue is shown as reopened, even if it was assigned before.
 */
export function pickChanges(changes: readonly IssueChange[]): Map<number, IssueChange> {
  const picked = new Map<number, IssueChange>();
  for (const change of changes) {
    const known = picked.get(change.issueId);
    const isHidden = known !== undefined && (known.kind === "resolved" || known.kind === "archived");
    if (STATUSES.includes(change.kind) || !isHidden) picked.set(change.issueId, change);
  }
  return picked;
}
