import type { Workspace } from "../../access/workspace.ts";
import { parseMerges, undoMerges } from "../grouping/merge-issues.server.ts";
import { restoreIssues } from "./change-issues.server.ts";
import { parsePrevious } from "./previous-statuses.ts";
import { parsePreviousTriage } from "./previous-triage.ts";
import { restoreTriage } from "./triage-issues.server.ts";

/** Undoes a change of `changeListedIssues`. `previous`: its `undo`, as a form sends it back. */
export async function undoListedChange(
  workspace: Workspace,
  { previous, now }: { previous: unknown; now: number },
): Promise<{ ok: true; kind: "undo"; count: number } | { ok: false; message: string }> {
  const mergeIds = parseMerges(previous);
  if (mergeIds) {
    const undone = await undoMerges(workspace, { mergeIds, now });
    return undone.ok ? { ok: true, kind: "undo", count: mergeIds.length } : { ok: false, message: undone.message };
  }
  const triage = parsePreviousTriage(previous);
  const statuses = parsePrevious(previous);
  if (triage) await restoreTriage(workspace, { previous: triage, now });
  else if (statuses) await restoreIssues(workspace, { previous: statuses, now });
  const restored = triage ?? statuses;
  return restored
    ? { ok: true, kind: "undo", count: restored.length }
    : { ok: false, message: "There is nothing to undo." };
}
