import type { Workspace } from "../../access/workspace.ts";
import type { IssueMerge } from "../../domain/issues/issue-merge.ts";
import type { MergeRefusal } from "../../stores/state/issue-merge-store.ts";
import { askUntil, waitUntilSettled } from "./wait-until-settled.server.ts";

/** Issues of one merge. The counts of each are moved in one transaction. */
const MAX_MERGED = 50;

export type MergeResult =
  | { ok: true; targetId: number; targetShortId: string; merges: IssueMerge[] }
  | { ok: false; status: 400 | 404 | 409; message: string };

const REFUSALS: Record<MergeRefusal, { status: 400 | 404 | 409; message: string }> = {
  "not-found": { status: 404, message: "An issue of the merge does not exist any more." },
  "other-project": { status: 400, message: "Only issues of one project can be merged." },
  "undone-before": { status: 409, message: "This merge was undone before." },
  "not-settled": { status: 409, message: "The merge is still being applied. Try again in some seconds." },
};

/**
 * Merges several issues into one. Without a target, the issue with most events remains, as in Sentry. Later events with the keys of
 * the others go to it, too, until the merge is undone. With `isOnce`, later events make a new issue.
 */
export async function mergeIssues(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  {
    issueIds,
    targetId,
    isOnce = false,
    now,
  }: { issueIds: readonly number[]; targetId?: number; isOnce?: boolean; now: number },
): Promise<MergeResult> {
  const named = [...new Set(targetId === undefined ? issueIds : [targetId, ...issueIds])];
  if (named.length > MAX_MERGED)
    return { ok: false, status: 400, message: `At most ${MAX_MERGED} issues can be merged at once.` };
  const issues = await state.issues.getIssues(scope, named);
  if (issues.length < 2) return { ok: false, status: 400, message: "A merge needs two issues or more." };
  const target =
    issues.find(({ id }) => id === targetId) ??
    issues.toSorted((a, b) => b.eventCount - a.eventCount || a.firstSeenAt - b.firstSeenAt || a.id - b.id)[0];
  if (target === undefined) return refuse("not-found");
  const merged = await state.issueMerges.mergeIssues(scope, {
    targetId: target.id,
    issueIds: issues.flatMap(({ id }) => (id === target.id ? [] : [id])),
    name: null,
    isOnce,
    userId: user?.id ?? null,
    at: now,
  });
  if (!merged.ok) return refuse(merged.reason);
  await waitUntilSettled({ state, scope }, [target.id]);
  return { ok: true, targetId: target.id, targetShortId: target.shortId, merges: merged.merges };
}

/** A merge takes effect within a second or two. An undo before that waits. */
const MAX_WAIT_MS = 5_000;

export type UndoResult =
  /** `isSettled`: every event is in its issue. Otherwise some still have to be moved. */
  { ok: true; merges: IssueMerge[]; isSettled: boolean } | Exclude<MergeResult, { ok: true }>;

/** Undoes merges: the issues exist again, with their events. */
export async function undoMerges(
  workspace: Pick<Workspace, "state" | "scope" | "user">,
  { mergeIds, now }: { mergeIds: readonly number[]; now: number },
): Promise<UndoResult> {
  const merges: IssueMerge[] = [];
  for (const mergeId of mergeIds) {
    const undone = await undoMerge(workspace, { mergeId, now });
    if (!undone.ok) return undone;
    merges.push(undone.merge);
  }
  const issueIds = merges.flatMap(({ merged, target }) => [merged.issueId, target.issueId]);
  return { ok: true, merges, isSettled: await waitUntilSettled(workspace, [...new Set(issueIds)]) };
}

async function undoMerge(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  { mergeId, now }: { mergeId: number; now: number },
): Promise<{ ok: true; merge: IssueMerge } | Exclude<MergeResult, { ok: true }>> {
  const undone = await askUntil(
    () => state.issueMerges.undoMerge(scope, { mergeId, userId: user?.id ?? null, at: now }),
    { isEnough: (answer) => answer.ok || answer.reason !== "not-settled", maxMs: MAX_WAIT_MS },
  );
  return undone.ok ? undone : refuse(undone.reason);
}

/** Undoes the merges through which these hashes came to the issue, as Sentry's endpoint does. */
export async function splitOffHashes(
  workspace: Pick<Workspace, "state" | "scope" | "user">,
  { issue, hashes, now }: { issue: { id: number; projectId: number }; hashes: readonly string[]; now: number },
): Promise<UndoResult> {
  const { state, scope } = workspace;
  const all = await state.issueMerges.listMerges(scope, { projectId: issue.projectId, issueId: issue.id });
  const holding = all.filter(({ undoneAt }) => undoneAt === null);
  const wanted = holding.filter((merge) => merge.hashes.some((hash) => hashes.includes(hash)));
  const unknown = hashes.find((hash) => !wanted.some((merge) => merge.hashes.includes(hash)));
  if (unknown !== undefined)
    return {
      ok: false,
      status: 400,
      message: `id: the hash ${unknown.slice(0, 40)} did not come to this issue by a merge`,
    };
  return await undoMerges(workspace, { mergeIds: wanted.map(({ id }) => id), now });
}

function refuse(reason: MergeRefusal): Exclude<MergeResult, { ok: true }> {
  return { ok: false, ...REFUSALS[reason] };
}

/** The text that the undo of merges sends back. */
export function toMergesText(mergeIds: readonly number[]): string {
  return `merges:${mergeIds.join()}`;
}

/** Null: the text is not from `toMergesText`. */
export function parseMerges(previous: unknown): number[] | null {
  const [, ids] = /^merges:(\d{1,15}(?:,\d{1,15}){0,49})$/.exec(String(previous)) ?? [];
  return ids === undefined ? null : ids.split(",").map(Number);
}
