import { ISSUE_STATUSES, type Issue, type IssueStatus, type IssueSubstatus } from "../../domain/issue.ts";
import type { StateStore } from "../../stores/state-store.ts";

export type ChangeStatusResult =
  /** `undo`: what the form must send to put things back; null after an undo, and when nothing changed. */
  | { ok: true; message: string; undo: { status: IssueStatus; substatus: IssueSubstatus } | null }
  | { ok: false; message: string };

const DONE: Record<IssueStatus, string> = {
  resolved: "Resolved. It comes back by itself if it happens again.",
  archived: "Archived. It stays quiet until somebody reopens it.",
  unresolved: "Reopened.",
};

/** One issue: `status` sets it, `undo` with `substatus` puts back what was. */
export async function changeStatus(
  state: StateStore,
  { issue, form, userId, now }: { issue: Issue; form: FormData; userId: number | null; now: number },
): Promise<ChangeStatusResult> {
  const status = ISSUE_STATUSES.find((name) => name === form.get("status"));
  if (!status) return { ok: false, message: "The form did not say what to do." };
  if (form.get("undo") !== null) {
    const substatus =
      (["new", "ongoing", "regressed"] as const).find((name) => name === form.get("substatus")) ?? "ongoing";
    await state.restoreIssueStatuses([{ issueId: issue.id, status, substatus }], { userId, at: now });
    return { ok: true, message: "Put back as it was.", undo: null };
  }
  const [previous] = await state.changeIssueStatus({ issueIds: [issue.id], status, userId, at: now });
  if (!previous) return { ok: true, message: `It is ${status} already.`, undo: null };
  return { ok: true, message: DONE[status], undo: { status: previous.status, substatus: previous.substatus } };
}
