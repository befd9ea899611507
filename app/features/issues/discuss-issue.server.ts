import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { addComment, changeComment, deleteComment } from "./comment-on-issue.server.ts";
import { COMMENT_UNDO } from "./comment-words.ts";

export const DISCUSSION_INTENTS = ["comment", "edit-comment", "delete-comment"];

/** Handles the forms of an issue's comments. Fields: `text`; `comment`, the id of an existing comment. */
export async function discussIssue(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<ChangeStatusResult> {
  const text = String(form.get("text") ?? "");
  const commentId = Number(form.get("comment") ?? 0);
  const done = (message: string, undo: string | null = null): ChangeStatusResult => {
    return { ok: true, message, status: issue.status, undo };
  };
  switch (form.get("intent")) {
    case "comment": {
      const added = await addComment(workspace, { issue, text, now });
      return added.ok ? done("Comment added.") : added;
    }
    case "edit-comment": {
      const changed = await changeComment(workspace, { issue, commentId, text, now });
      return changed.ok ? done("Comment changed.") : changed;
    }
    default: {
      const deleted = await deleteComment(workspace, { issue, commentId });
      return deleted.ok ? done("Comment deleted.", COMMENT_UNDO + deleted.comment.text) : deleted;
    }
  }
}
