import type { Workspace } from "../../access/workspace.ts";
import { ISSUE_STATUSES, type Issue, type IssueStatus } from "../../domain/issue.ts";
import { sayArchiveRule, sayEscalationBounds } from "../../domain/issues/say-archive.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import { mergeIssues, parseMerges, toMergesText, undoMerges } from "../grouping/merge-issues.server.ts";
import { changeIssues, restoreIssues } from "./change-issues.server.ts";
import { addComment } from "./comment-on-issue.server.ts";
import { COMMENT_UNDO } from "./comment-words.ts";
import { LINK_UNDO, linkIssue } from "./link-issue.server.ts";
import { parsePrevious, serializePrevious } from "./previous-statuses.ts";
import { parsePreviousTriage } from "./previous-triage.ts";
import { readArchiveForm } from "./read-archive-form.ts";
import { toCommitResolution } from "./resolution-text.ts";
import { explainResolution, sayResolution } from "./resolution-words.ts";
import { restoreTriage } from "./triage-issues.server.ts";

export type ChangeStatusResult =
  /**
   * `status`: the new status. `undo`: the text that the form must send to undo the change; null after an undo, and if nothing
   * changed. `at`: when the change was made, if known.
   */
  { ok: true; message: string; status: IssueStatus; undo: string | null; at?: number } | { ok: false; message: string };

const DONE: Record<IssueStatus, string> = {
  resolved: "Resolved. It comes back by itself if it happens again.",
  archived: "Archived. It stays quiet until somebody reopens it.",
  unresolved: "Reopened.",
};

/**
 * Changes the status of one issue: `status` sets it, `undo` restores the previous one. With `status` resolved, `in` says what the
 * issue waits for: `next-release`, `latest-release`, or `commit` with `commit` and `repository`. With `archived`, see
 * `readArchiveForm`.
 */
export async function changeStatus(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<ChangeStatusResult> {
  if (form.has("undo")) return undo(workspace, { issue, form, now });
  const status = ISSUE_STATUSES.find((name) => name === form.get("status"));
  if (!status) return { ok: false, message: `status: Must be one of ${ISSUE_STATUSES.join(", ")}.` };
  const resolution = status === "resolved" ? readRequest(form) : null;
  if (resolution === undefined) {
    return { ok: false, message: "The id of a commit has letters and digits, at most 64." };
  }
  const archive = status === "archived" ? readArchiveForm(form, now) : null;
  if (archive && !archive.ok) return { ok: false, message: archive.message };
  const rule = archive?.rule ?? null;
  const { previous } = await changeIssues(workspace, {
    issues: [issue.id],
    status,
    archive: rule,
    ...(resolution ? { resolution } : {}),
    now,
  });
  if (previous.length === 0) return { ok: true, message: `The issue is ${status} already.`, status, undo: null };
  const message = resolution
    ? await sayDone(workspace, issue.id)
    : rule
      ? `Archived ${sayArchiveRule(rule)}. ${await sayReturn(workspace, issue.id)}`
      : DONE[status];
  return { ok: true, message, status, undo: serializePrevious(previous) };
}

/**
 * Merges the issue named by the form's `other` into this one. `intent`: `merge-other`, or `merge-other-once` without a rule for
 * later events.
 */
export async function mergeOther(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<ChangeStatusResult> {
  const isOnce = form.get("intent") === "merge-other-once";
  const issueIds = [Number(form.get("other")) || 0];
  const merged = await mergeIssues(workspace, { targetId: issue.id, issueIds, isOnce, now });
  if (!merged.ok) return merged;
  const names = merged.merges.map((each) => each.merged.shortId).join(", ");
  const later = isOnce ? "Later events of it are a new issue." : "Later events of it come here, too.";
  const undoing = toMergesText(merged.merges.map(({ id }) => id));
  return { ok: true, message: `${names} merged into this issue. ${later}`, status: issue.status, undo: undoing };
}

async function undo(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<ChangeStatusResult> {
  const text = String(form.get("undo"));
  if (text.startsWith(COMMENT_UNDO)) {
    const added = await addComment(workspace, { issue, text: text.slice(COMMENT_UNDO.length), isQuiet: true, now });
    return added.ok ? { ok: true, message: "The comment is back.", status: issue.status, undo: null } : added;
  }
  if (text.startsWith(LINK_UNDO)) {
    const linked = await linkIssue(workspace, { issue, url: text.slice(LINK_UNDO.length), now });
    const message = linked.ok ? `Linked to ${linked.link.name} again.` : linked.message;
    return linked.ok ? { ok: true, message, status: issue.status, undo: null } : { ok: false, message };
  }
  const [mergeId, ...further] = parseMerges(text) ?? [];
  if (mergeId !== undefined && further.length === 0) {
    const undone = await undoMerges(workspace, { mergeIds: [mergeId], now });
    if (!undone.ok) return undone;
    const names = undone.merges.map(({ merged }) => merged.shortId).join();
    const message = `${names} is an issue of its own again${undone.isSettled ? ", with its events." : ". Its events follow."}`;
    return { ok: true, message, status: issue.status, undo: null };
  }
  const [triage, ...more] = parsePreviousTriage(form.get("undo")) ?? [];
  if (triage && more.length === 0) {
    await restoreTriage(workspace, { previous: [{ ...triage, issueId: issue.id }], now });
    return { ok: true, message: "Put back as it was.", status: issue.status, undo: null };
  }
  const [previous, ...others] = parsePrevious(form.get("undo")) ?? [];
  if (!previous || others.length > 0) return { ok: false, message: "There is nothing to undo." };
  // The page's own issue: the changed issue may have been merged into it since.
  await restoreIssues(workspace, { previous: [{ ...previous, issueId: issue.id }], now });
  return { ok: true, message: "Put back as it was.", status: previous.status, undo: null };
}

/** What the issue waits for. Null: only the time decides. Undefined: the named commit is not valid. */
function readRequest(form: FormData): ResolutionRequest | null | undefined {
  switch (form.get("in")) {
    case "next-release":
      return { kind: "next_release" };
    case "latest-release":
      return { kind: "latest_release" };
    case "commit":
      return toCommitResolution(String(form.get("commit") ?? ""), String(form.get("repository") ?? ""));
    default:
      return null;
  }
}

/** Reads the resolution back from the store, because only the store knows the releases. */
async function sayDone(workspace: Workspace, issueId: number): Promise<string> {
  const { state, scope } = workspace;
  const resolution = (await state.issues.getIssue(scope, issueId))?.resolution ?? null;
  if (resolution === null) return DONE.resolved;
  return `Resolved ${sayResolution(resolution)}. ${explainResolution(resolution)}`;
}

/** Reads the bounds back from the store, because only the store knows the issue's past. */
async function sayReturn({ state, scope }: Workspace, issueId: number): Promise<string> {
  const bounds = (await state.issues.getIssue(scope, issueId))?.archive?.bounds;
  return bounds ? sayEscalationBounds(bounds) : "Then it comes back by itself.";
}
