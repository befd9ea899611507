import type { Workspace } from "../../access/workspace.ts";
import { parseMoveDays, type RuleMove } from "../../domain/grouping-rules/rule-move.ts";
import type { Project } from "../../domain/project.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { MoveRefusal } from "../../stores/state/rule-move-store.ts";
import { type ShownPreview, showPreview } from "./preview-grouping-rules.server.ts";
import { waitUntil } from "./wait-until-settled.server.ts";

interface Refusal {
  ok: false;
  status: 400 | 404 | 409 | 429;
  message: string;
}

const REFUSALS: Record<MoveRefusal, Omit<Refusal, "ok">> = {
  "not-found": { status: 404, message: "This project or move does not exist any more." },
  running: { status: 409, message: "Stored events are being moved already. Wait until that is over, or undo it." },
  "undone-before": { status: 409, message: "This move was undone before." },
};

const WRONG_DAYS: Refusal = { ok: false, status: 400, message: "days: choose 1, 7, 30 or 90 days." };

/**
 * Moves stored events to the issues that the present rules give. A job does the work. If rules are saved meanwhile, they apply to
 * the remaining events.
 */
export async function moveStoredEvents(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  project: Pick<Project, "id">,
  { days, now }: { days: unknown; now: number },
): Promise<{ ok: true; move: RuleMove } | Refusal> {
  const count = parseMoveDays(days);
  if (count === null) return WRONG_DAYS;
  const since = now - count * DAY_MS;
  const asked = await state.ruleMoves.requestMove(scope, {
    projectId: project.id,
    since,
    userId: user?.id ?? null,
    at: now,
  });
  return asked.ok ? asked : { ok: false, ...REFUSALS[asked.reason] };
}

/**
 * Moves the events back to the issues of the keys that they were stored with. `isSettled`: they are there. Otherwise the move is
 * still under way.
 */
export async function undoStoredMove(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  { moveId, now }: { moveId: number; now: number },
): Promise<{ ok: true; isSettled: boolean } | Refusal> {
  const undone = await state.ruleMoves.undoMove(scope, { moveId, userId: user?.id ?? null, at: now });
  if (!undone.ok) return { ok: false, ...REFUSALS[undone.reason] };
  const { projectId } = undone.move;
  // Many issues may have gained events, so the project's moves are checked instead.
  const isSettled = await waitUntil(async () => {
    const move = (await state.ruleMoves.listMoves(scope, projectId)).find(({ id }) => id === moveId);
    return move?.undoneAt !== null && (await state.issueSplits.listMovingIssues(scope, projectId)).length === 0;
  });
  return { ok: true, isSettled };
}

/** Where the newest stored events of these days would go. It writes nothing. */
export async function previewMove(
  workspace: Pick<Workspace, "state" | "scope" | "previewGrouping">,
  project: Pick<Project, "id">,
  { days, now }: { days: unknown; now: number },
): Promise<{ ok: true; preview: ShownPreview } | Refusal> {
  const count = parseMoveDays(days);
  if (count === null) return WRONG_DAYS;
  const rules = await workspace.state.groupingRules.getRules(workspace.scope, project.id);
  if (rules === null) return { ok: false, ...REFUSALS["not-found"] };
  const { fingerprintRules, stackRules } = rules;
  const texts = { projectId: project.id, fingerprintRules, stackRules };
  const found = await workspace.previewGrouping(texts, { ofStored: { since: now - count * DAY_MS } });
  if (found === null)
    return { ok: false, status: 429, message: "Others preview rules right now. Try again in some seconds." };
  return { ok: true, preview: await showPreview(workspace, found) };
}
