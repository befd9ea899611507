import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { toSnooze } from "./snooze-issues.server.ts";

type ReaderChange = { isSubscribed?: boolean; isBookmarked?: boolean; hasSeen?: boolean };

export const READER_CHANGES: Readonly<Record<string, ReaderChange>> = {
  subscribe: { isSubscribed: true },
  unsubscribe: { isSubscribed: false },
  bookmark: { isBookmarked: true },
  unbookmark: { isBookmarked: false },
  seen: { hasSeen: true },
};

/** What the reader alone has of an issue. False: the reader is a token of the organization, which stands for nobody. */
export async function changeReader(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  { issueIds, now, ...change }: ReaderChange & { issueIds: readonly number[]; now: number },
): Promise<boolean> {
  if (user === null) return false;
  await state.comments.changeReader(scope, { issueIds, userId: user.id, at: now, ...change });
  return true;
}

/** How the reader stands to the issue, and who else has looked at it. */
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
