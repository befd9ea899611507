import type { Workspace } from "../../access/workspace.ts";
import { ISSUE_STATUSES, type Issue, type IssueStatus, type IssueSubstatus } from "../../domain/issue.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import { parseResolution, serializeResolution, toCommitResolution } from "./resolution-text.ts";
import { explainResolution, sayResolution } from "./resolution-words.ts";

export type ChangeStatusResult =
  /** `undo`: what the form must send to put things back; null after an undo, and when nothing changed. */
  | {
      ok: true;
      message: string;
      /** What it is from now on. */
      status: IssueStatus;
      undo: { status: IssueStatus; substatus: IssueSubstatus; resolution: string } | null;
    }
  | { ok: false; message: string };

const DONE: Record<IssueStatus, string> = {
  resolved: "Resolved. It comes back by itself if it happens again.",
  archived: "Archived. It stays quiet until somebody reopens it.",
  unresolved: "Reopened.",
};

/**
 * One issue: `status` sets it, `undo` with `substatus` and `resolution` puts back what was. With `status` resolved, `in` says
 * what it waits for: `next-release`, `latest-release`, or `commit` with `commit` and `repository`.
 */
export async function changeStatus(
  workspace: Workspace,
  { issue, form, userId, now }: { issue: Issue; form: FormData; userId: number | null; now: number },
): Promise<ChangeStatusResult> {
  const { state, scope } = workspace;
  const status = ISSUE_STATUSES.find((name) => name === form.get("status"));
  if (!status) return { ok: false, message: "The form did not say what to do." };
  if (form.get("undo") !== null) {
    const substatus =
      (["new", "ongoing", "regressed"] as const).find((name) => name === form.get("substatus")) ?? "ongoing";
    const resolution = parseResolution(String(form.get("resolution") ?? "")) ?? null;
    await state.issues.restoreIssueStatuses(scope, [{ issueId: issue.id, status, substatus, resolution }], {
      userId,
      at: now,
    });
    return { ok: true, message: "Put back as it was.", status, undo: null };
  }
  const request = status === "resolved" ? readRequest(form) : null;
  if (request === undefined) {
    return { ok: false, message: "A commit is named by its id: letters and digits, at most 64." };
  }
  const [previous] = await state.issues.changeIssueStatus(scope, {
    issueIds: [issue.id],
    status,
    ...(request ? { resolution: request } : {}),
    userId,
    at: now,
  });
  if (!previous) return { ok: true, message: `It is ${status} already.`, status, undo: null };
  return {
    ok: true,
    message: request ? await sayDone(workspace, issue.id) : DONE[status],
    status,
    undo: {
      status: previous.status,
      substatus: previous.substatus,
      resolution: serializeResolution(previous.resolution),
    },
  };
}

/** Null: the time alone decides. Undefined: what is named can be no commit. */
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

/** What it waits for was settled by the store, which knows the releases. */
async function sayDone(workspace: Workspace, issueId: number): Promise<string> {
  const { state, scope } = workspace;
  const resolution = (await state.issues.getIssue(scope, issueId))?.resolution ?? null;
  if (resolution === null) return DONE.resolved;
  return `Resolved ${sayResolution(resolution)}. ${explainResolution(resolution)}`;
}
