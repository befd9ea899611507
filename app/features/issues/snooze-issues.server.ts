import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import { type IssueFilter, listIssueIds, toBatches } from "./change-issues.server.ts";

/** The reader's snooze of an issue before a change. */
export interface PreviousSnooze {
  issueId: number;
  /** Milliseconds since 1970; null: it was not snoozed. */
  until: number | null;
}

/**
 * Removes issues from the reader's own lists and mail until an instant, or puts them back (null). Other people see no change.
 * Returns the previous snoozes; empty for a token that is no person.
 */
export async function snoozeIssues(
  workspace: Workspace,
  { issues, until, now }: { issues: readonly number[] | IssueFilter; until: number | null; now: number },
): Promise<PreviousSnooze[]> {
  const { state, scope, user } = workspace;
  if (user === null) return [];
  const issueIds = "query" in issues ? await listIssueIds(workspace, issues) : issues;
  const previous: PreviousSnooze[] = [];
  for (const batch of toBatches(issueIds)) {
    const [readers, found] = await Promise.all([
      state.comments.listReaders(scope, user.id, batch),
      state.issues.getIssues(scope, batch),
    ]);
    await state.comments.changeReader(scope, { issueIds: batch, userId: user.id, at: now, snoozedUntil: until });
    for (const { id } of found) previous.push({ issueId: id, until: toSnooze(readers.get(id)?.snoozedUntil, now) });
    await setImmediate();
  }
  return previous;
}

/** Undo: restores what `snoozeIssues` returned. */
export async function restoreSnoozes(
  workspace: Workspace,
  { previous, now }: { previous: readonly PreviousSnooze[]; now: number },
): Promise<void> {
  const byUntil = Map.groupBy(previous, ({ until }) => until);
  for (const [until, issues] of byUntil)
    await snoozeIssues(workspace, { issues: issues.map(({ issueId }) => issueId), until, now });
}

/** The end of a snooze, if it is in the future. Null otherwise. */
export function toSnooze(until: number | null | undefined, now: number): number | null {
  return until !== null && until !== undefined && until > now ? until : null;
}
