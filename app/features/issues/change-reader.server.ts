import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { type IssueFilter, listIssueIds, toBatches } from "./change-issues.server.ts";
import type { PreviousReading } from "./previous-reading.ts";
import { toSnooze } from "./snooze-issues.server.ts";

export type ReaderChange = { isSubscribed?: boolean; isBookmarked?: boolean; hasSeen?: boolean };

export const READER_CHANGES: Readonly<Record<string, ReaderChange>> = {
  subscribe: { isSubscribed: true },
  unsubscribe: { isSubscribed: false },
  bookmark: { isBookmarked: true },
  unbookmark: { isBookmarked: false },
  seen: { hasSeen: true },
  unseen: { hasSeen: false },
};

/** One sentence about the result of a change of several issues. */
export function sayReading({ isSubscribed, isBookmarked, hasSeen }: ReaderChange, count: number): string {
  if (count === 0) return "Nothing changed: it is so already.";
  const issues = count === 1 ? "1 issue" : `${count.toLocaleString("en")} issues`;
  if (isSubscribed !== undefined) return `${isSubscribed ? "Subscribed to" : "Unsubscribed from"} ${issues}.`;
  if (hasSeen !== undefined) return `${issues} marked as ${hasSeen ? "seen" : "not seen"}.`;
  return isBookmarked ? `${issues} bookmarked.` : `Bookmark removed from ${issues}.`;
}

/**
 * Changes what concerns only the reader, for issues with these ids, or for all that the filter finds.
 * @returns the previous values of what changed; null: the reader is a token of the organization, which is no person
 */
export async function changeReader(
  workspace: Pick<Workspace, "state" | "scope" | "user">,
  { issues, now, ...change }: ReaderChange & { issues: readonly number[] | IssueFilter; now: number },
): Promise<PreviousReading[] | null> {
  const { state, scope, user } = workspace;
  if (user === null) return null;
  const issueIds = "query" in issues ? await listIssueIds(workspace, issues) : issues;
  const previous: PreviousReading[] = [];
  for (const batch of toBatches(issueIds)) {
    const [readers, found] = await Promise.all([
      state.comments.listReaders(scope, user.id, batch),
      state.issues.getIssues(scope, batch),
    ]);
    await state.comments.changeReader(scope, { issueIds: batch, userId: user.id, at: now, ...change });
    for (const { id } of found) {
      const {
        subscription = null,
        isUnsubscribed = false,
        isBookmarked = false,
        seenAt = null,
      } = readers.get(id) ?? {};
      const isOther =
        (change.isSubscribed !== undefined && change.isSubscribed !== (subscription !== null)) ||
        (change.isBookmarked !== undefined && change.isBookmarked !== isBookmarked) ||
        (change.hasSeen !== undefined && change.hasSeen !== (seenAt !== null));
      if (!isOther) continue;
      previous.push({
        issueId: id,
        ...(change.isSubscribed === undefined ? {} : { subscription: isUnsubscribed ? "off" : subscription }),
        ...(change.isBookmarked === undefined ? {} : { isBookmarked }),
        ...(change.hasSeen === undefined ? {} : { seenAt }),
      });
    }
    await setImmediate();
  }
  return previous;
}

/** Undo: restores what `changeReader` returned. */
export async function restoreReading(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  { previous, now }: { previous: readonly PreviousReading[]; now: number },
): Promise<void> {
  if (user === null) return;
  const alike = Map.groupBy(previous, ({ issueId: _, ...before }) => JSON.stringify(before));
  for (const issues of alike.values()) {
    const { issueId: _, seenAt, ...before } = issues[0] as PreviousReading;
    const seen = seenAt === undefined ? {} : { hasSeen: seenAt !== null };
    for (const batch of toBatches(issues.map(({ issueId }) => issueId))) {
      await state.comments.changeReader(scope, {
        issueIds: batch,
        userId: user.id,
        at: seenAt ?? now,
        ...before,
        ...seen,
      });
      await setImmediate();
    }
  }
}

/** What the reader has set for the issue, and who else has looked at it. */
export async function getReading({ state, scope, user }: Workspace, issue: Issue, now: number) {
  const [readers, seenBy] = await Promise.all([
    user && state.comments.listReaders(scope, user.id, [issue.id]),
    state.comments.listSeenBy(scope, issue.id, MAX_SEEN_BY),
  ]);
  const reader = readers?.get(issue.id);
  return {
    subscription: reader?.subscription ?? null,
    isBookmarked: reader?.isBookmarked ?? false,
    snoozedUntil: toSnooze(reader?.snoozedUntil, now),
    seenBy: seenBy.filter(({ id }) => id !== user?.id),
  };
}

const MAX_SEEN_BY = 20;
