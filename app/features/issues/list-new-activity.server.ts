import type { Workspace } from "../../access/workspace.ts";
import { toActivitySentence } from "./activity-sentence.ts";

/** A strip says the newest, and how many more. */
const MAX_LISTED = 20;

/**
 * What other people did about an issue since the entry `after`, in sentences, the newest first. What the digest and the jobs do shows in the
 * counts and the status. None where no entry is named.
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
