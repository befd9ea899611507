import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import type { Escalation } from "../../domain/issues/escalation.ts";
import { isPriority } from "../../domain/issues/priority.ts";
import { sayArchiveEnd, sayArchiveRule } from "../../domain/issues/say-archive.ts";
import { type Assignee, toAssigneeName } from "../../domain/issues/triage.ts";
import type { Resolution } from "../../domain/release.ts";
import type { IssueActivity } from "../../stores/state/issue-store.ts";
import { sayResolution, toShortName } from "./resolution-words.ts";

/** Describes one activity of an issue, or of an issue that was merged into it, as a sentence without a full stop. */
export function toActivitySentence({ kind, user, data }: IssueActivity): string {
  const who = user?.name ?? "Culprit";
  const issue = typeof data.ofShortId === "string" ? data.ofShortId : "it";
  const undo = data.isUndo ? ", undoing a change" : "";
  switch (kind) {
    case "first_seen":
      return "First seen";
    case "resolved": {
      const words = sayResolution((data.resolution as Resolution | undefined) ?? null);
      if (data.commit !== undefined)
        return `${issue === "it" ? "Resolved" : `${issue} was resolved`} ${words} by commit`;
      if (typeof data.reason === "string")
        return `${issue === "it" ? "Resolved" : `${issue} was resolved`} by itself: ${data.reason}`;
      return `${who} resolved ${issue}${words && ` ${words}`}${undo}`;
    }
    case "archived": {
      const rule = data.archive as ArchiveRule | undefined;
      return `${who} archived ${issue}${rule ? ` ${sayArchiveRule(rule)}` : ""}${undo}`;
    }
    case "reopened":
      if (data.archive !== undefined) {
        const what = issue === "it" ? "Came back" : `${issue} came back`;
        return `${what}: ${sayArchiveEnd(data.archive as ArchiveRule, data.escalation as Escalation | undefined)}`;
      }
      return `${who} reopened ${issue}${undo}`;
    case "regressed": {
      const what = issue === "it" ? "Happened" : `${issue} happened`;
      const where = typeof data.release === "string" ? `, in ${toShortName(data.release)}` : "";
      return `${what} again after it was resolved${where}`;
    }
    case "joined":
      if (data.groupingVersion !== undefined)
        return `Grouping version ${data.groupingVersion}: events like those of ${data.shortId} come to ${issue === "it" ? "this issue" : issue} from now on`;
      if (data.mergeId !== undefined)
        return `${who} merged ${data.shortId} into ${issue === "it" ? "this issue" : issue} with ${sayEvents(data)}`;
      if (data.cause !== undefined)
        return `${data.isWhole ? `${data.shortId} joined ${issue} with ${sayEvents(data)}` : `${sayEvents(data)} of ${data.shortId} joined ${issue}`}: ${sayCause(data)}`;
      return data.isWhole
        ? `${data.shortId} joined ${issue} with ${sayEvents(data)}: a source map showed that they are the same error`
        : `${sayEvents(data)} of ${data.shortId} joined ${issue}: a source map showed that this is their error`;
    case "split_off": {
      if (data.mergeId !== undefined)
        return `${who} undid the merge into ${data.shortId}: ${sayEvents(data)} came back`;
      const what = issue === "it" ? "Split" : `${issue} split`;
      if (data.cause !== undefined)
        return `${what} off from ${data.shortId} with ${sayEvents(data)}: ${data.cause === "split" ? "somebody split it by a value" : sayCause(data)}`;
      return `${what} off from ${data.shortId} with ${sayEvents(data)}: a source map showed that this is another error`;
    }
    case "moved_away":
      if (data.groupingVersion !== undefined)
        return `Grouping version ${data.groupingVersion}: events like these go to ${data.shortId} from now on`;
      if (data.mergeId !== undefined) return `${who} undid the merge of ${data.shortId}: ${sayEvents(data)} went back`;
      if (data.cause !== undefined) return `${sayEvents(data)} moved to ${data.shortId}: ${sayCause(data)}`;
      return `${sayEvents(data)} moved to ${data.shortId}: a source map showed that they are of another error`;
    case "assigned": {
      const assignee = data.assignee as Assignee;
      if (typeof data.reason === "string")
        return `${issue === "it" ? "Assigned" : `${issue} is assigned`} to ${toAssigneeName(assignee)} again: ${data.reason}`;
      const isOwn = assignee.kind === "user" && assignee.id === user?.id;
      const rule = typeof data.rule === "string" ? ` by the rule ${data.rule}` : "";
      return `${who} assigned ${issue} to ${isOwn ? "themselves" : toAssigneeName(assignee)}${rule}${undo}`;
    }
    case "unassigned":
      if (typeof data.reason === "string")
        return `${issue === "it" ? "Assigned" : `${issue} is assigned`} to nobody: ${data.reason}`;
      return `${who} assigned ${issue} to nobody${undo}`;
    case "acknowledged":
      return `${who} acknowledged ${issue}${data.via === "link" ? " from a message" : ""}`;
    case "unacknowledged":
      return `${who} took back that ${issue} is acknowledged`;
    case "priority_set": {
      const of = issue === "it" ? "" : ` of ${issue}`;
      return isPriority(data.priority)
        ? `${who} set the priority${of} to ${data.priority}${undo}`
        : `${who} left the priority${of} to level and frequency${undo}`;
    }
    case "linked":
      return `${who} linked ${issue} to ${data.name}`;
    case "unlinked":
      return `${who} removed the link${issue === "it" ? "" : ` of ${issue}`} to ${data.name}`;
    case "commented":
      return `${user?.name ?? "Somebody"} commented${issue === "it" ? "" : ` on ${issue}`}${data.editedAt === undefined ? "" : ", edited"}`;
    case "events_deleted":
      return `${who} deleted ${sayEvents(data)}${data.isOfUser ? " of a user" : ""}${issue === "it" ? "" : ` of ${issue}`}`;
  }
}

/** Says why stored events went to another issue. */
function sayCause({ cause }: IssueActivity["data"]): string {
  if (cause === "merge") return "somebody undid a merge";
  return cause === "split" ? "somebody split the issue, or undid it" : "the rules of the project changed";
}

function sayEvents({ events }: IssueActivity["data"]): string {
  if (events === 1) return "1 event";
  return typeof events === "number" && events > 0 ? `${events.toLocaleString("en")} events` : "events";
}
