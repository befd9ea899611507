import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { AcknowledgedVia } from "../../stores/state/alert-period-store.ts";

/** `undo`: the text for `parseAcknowledged`. Absent and null: there is nothing to undo. */
export type AcknowledgeResult = { ok: true; message: string; undo: string | null } | { ok: false; message: string };

/**
 * Records that somebody takes care of the issue. Alert rules that wait for an answer notify nobody else, and do not notify about
 * the issue again.
 */
export async function acknowledgeIssue(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  { issue, via, now }: { issue: Pick<Issue, "id">; via: AcknowledgedVia; now: number },
): Promise<AcknowledgeResult> {
  const by = { issueId: issue.id, userId: user?.id ?? null, via, at: now };
  const periodIds = await state.alertPeriods.acknowledge(scope, by);
  if (periodIds.length > 0) return { ok: true, message: "Acknowledged.", undo: `${PREFIX}${periodIds.join(",")}` };
  const open = await state.alertPeriods.listPeriods(scope, { issueId: issue.id, isOpen: true, limit: 1 });
  const other = open[0]?.acknowledged?.by?.name;
  return {
    ok: false,
    message:
      open.length === 0
        ? "No alert rule waits for an answer about this issue any more."
        : `${other ?? "Somebody"} has acknowledged it already.`,
  };
}

/** Withdraws an acknowledgement: alert rules wait for an answer again. Steps that became due meanwhile run at once. */
export async function withdrawAcknowledgement(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  { issue, periodIds, now }: { issue: Pick<Issue, "id">; periodIds: readonly number[]; now: number },
): Promise<{ ok: true; message: string } | { ok: false; message: string }> {
  const by = { issueId: issue.id, periodIds, userId: user?.id ?? null, at: now };
  const count = await state.alertPeriods.withdraw(scope, by);
  return count > 0
    ? { ok: true, message: "Put back: alert rules wait for an answer again." }
    : { ok: false, message: "There is nothing to put back: nobody has acknowledged it, or it is over." };
}

const PREFIX = "acknowledged:";

/** The ids of the periods in an undo text. Null: the text is from something else. */
export function parseAcknowledged(undo: string): number[] | null {
  return undo.startsWith(PREFIX) ? toIds(undo.slice(PREFIX.length)) : null;
}

/** The ids of the periods in the form of the issue's page. */
export function readPeriodIds(form: FormData): number[] {
  return toIds(String(form.get("periods") ?? ""));
}

function toIds(text: string): number[] {
  return text
    .split(",")
    .filter((id) => /^\d{1,15}$/.test(id))
    .slice(0, MAX_UNDONE)
    .map(Number);
}

/** The highest number of alert rules. */
const MAX_UNDONE = 500;
