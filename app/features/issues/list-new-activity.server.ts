import type { Workspace } from "../../access/workspace.ts";
import { toActivitySentence } from "./activity-sentence.ts";

/** The strip shows the newest, and the number of others. */
const MAX_LISTED = 20;

/**
 * Sentences about what other people have done with an issue since the entry `after`, the newest first. Changes by the digest and by
 * jobs are left out, because counts and status show them. Empty if no entry is named.
 */
export async function listNewActivity(
  { state, scope, user }: Workspace,
  { issueId, after }: { issueId: number; after: string | null },
): Promise<string[]> {
  if (after === null || !/^\d{1,15}$/.test(after)) return [];
  return (await state.issues.listActivity(scope, issueId))
    .filter((entry) => entry.id > Number(after) && entry.user !== null && entry.user.id !== user?.id)
    .slice(0, MAX_LISTED)
    .map(toActivitySentence);
}
