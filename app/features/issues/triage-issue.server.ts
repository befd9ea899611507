import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { isPriority, PRIORITIES } from "../../domain/issues/priority.ts";
import { toAssigneeName } from "../../domain/issues/triage.ts";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { findAssignee, toRef } from "./find-assignee.server.ts";
import { serializePreviousTriage } from "./previous-triage.ts";
import { triageIssues } from "./triage-issues.server.ts";
import { PRIORITY_LABELS } from "./triage-words.ts";

/** Handles the form of an issue's page. `intent` is `assign` with `to` (see `findAssignee`), or `priority` with `priority` (or `auto`). */
export async function triageIssue(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<ChangeStatusResult> {
  return form.get("intent") === "assign"
    ? await assign(workspace, { issue, to: String(form.get("to") ?? ""), now })
    : await prioritize(workspace, { issue, wanted: form.get("priority"), now });
}

async function assign(
  workspace: Workspace,
  { issue, to, now }: { issue: Issue; to: string; now: number },
): Promise<ChangeStatusResult> {
  const found = await findAssignee(workspace, to);
  if (!found.ok) return { ok: false, message: `to: ${found.message}.` };
  const { assignee } = found;
  const changed = await triageIssues(workspace, { issues: [issue.id], assignee: toRef(assignee), now });
  const name =
    assignee === null
      ? ""
      : assignee.id === workspace.user?.id && assignee.kind === "user"
        ? "you"
        : toAssigneeName(assignee);
  if (changed.refusedCount > 0)
    return {
      ok: false,
      message: `${toAssigneeName(assignee as NonNullable<typeof assignee>)} does not see the project of this issue. Give them access first.`,
    };
  const message =
    changed.previous.length === 0
      ? assignee === null
        ? "Nobody is assigned already."
        : `The issue is assigned to ${name} already.`
      : assignee === null
        ? "Nobody is assigned any more."
        : `Assigned to ${name}.`;
  return { ok: true, message, status: issue.status, undo: serializePreviousTriage(changed.previous) };
}

async function prioritize(
  workspace: Workspace,
  { issue, wanted, now }: { issue: Issue; wanted: unknown; now: number },
): Promise<ChangeStatusResult> {
  if (wanted !== "auto" && !isPriority(wanted))
    return { ok: false, message: `priority: Must be one of ${[...PRIORITIES, "auto"].join(", ")}.` };
  const priority = wanted === "auto" ? null : wanted;
  const { previous } = await triageIssues(workspace, { issues: [issue.id], priority, now });
  const said =
    priority === null
      ? "Level and frequency decide the priority."
      : `Priority ${PRIORITY_LABELS[priority].toLowerCase()}. It stays until somebody changes it.`;
  return {
    ok: true,
    message: previous.length === 0 ? "Nothing changed." : said,
    status: issue.status,
    undo: serializePreviousTriage(previous),
  };
}
