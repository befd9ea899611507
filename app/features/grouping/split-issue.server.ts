import type { Workspace } from "../../access/workspace.ts";
import {
  type IssueSplit,
  isSplitVariable,
  MAX_SPLITS,
  nameSplitVariable,
} from "../../domain/grouping-rules/issue-split.ts";
import { MAX_DECISION_NAME_CHARS } from "../../domain/grouping-rules/rule-limits.ts";
import type { Issue } from "../../domain/issue.ts";
import type { IssueSplitStore, SplitRefusal } from "../../stores/state/issue-split-store.ts";
import { waitUntilSettled } from "./wait-until-settled.server.ts";

export type SplitResult =
  /** `isSettled`: stored events are in their issues. Otherwise some still have to be moved. */
  | { ok: true; split: IssueSplit; isSettled: boolean }
  | { ok: false; status: 400 | 404 | 409; field: "name" | "by" | null; message: string };

const REFUSALS: Record<SplitRefusal, Omit<Extract<SplitResult, { ok: false }>, "ok">> = {
  "not-found": { status: 404, field: null, message: "This issue or split does not exist any more." },
  "same-before": { status: 409, field: "by", message: "The issue is split by this value already." },
  "too-many": { status: 409, field: null, message: `A project has at most ${MAX_SPLITS} splits. Undo one first.` },
  "undone-before": { status: 409, field: null, message: "This split was undone before." },
};

type Asker = Pick<Workspace, "state" | "scope" | "user">;

/** Splits an issue: each value gets an issue of its own, for later and for stored events. To move many stored events takes minutes. */
export async function splitIssue(
  asker: Asker,
  { issue, by, name, now }: { issue: Pick<Issue, "id" | "shortId">; by: string; name: string; now: number },
): Promise<SplitResult> {
  const { state, scope, user } = asker;
  if (!isSplitVariable(by))
    return { ok: false, status: 400, field: "by", message: "by: an issue cannot be split by this value." };
  const chosen = name.replace(/\s+/g, " ").trim();
  if (chosen.length > MAX_DECISION_NAME_CHARS)
    return {
      ok: false,
      status: 400,
      field: "name",
      message: `The name has ${chosen.length} characters. At most ${MAX_DECISION_NAME_CHARS} are allowed.`,
    };
  const split = await state.issueSplits.splitIssue(scope, {
    issueId: issue.id,
    variable: by,
    name: chosen === "" ? `${issue.shortId} by ${nameSplitVariable(by)}`.slice(0, MAX_DECISION_NAME_CHARS) : chosen,
    userId: user?.id ?? null,
    at: now,
  });
  return await toResult(asker, split);
}

/** Undoes a split: later events go to the issue again, and stored events come back. */
export async function undoSplit(
  asker: Asker,
  { splitId, now }: { splitId: number; now: number },
): Promise<SplitResult> {
  const { state, scope, user } = asker;
  return await toResult(
    asker,
    await state.issueSplits.undoSplit(scope, { splitId, userId: user?.id ?? null, at: now }),
  );
}

async function toResult(asker: Asker, done: Awaited<ReturnType<IssueSplitStore["undoSplit"]>>): Promise<SplitResult> {
  if (!done.ok) return { ok: false, ...REFUSALS[done.reason] };
  return { ...done, isSettled: await waitUntilSettled(asker, [done.split.issue.issueId]) };
}
