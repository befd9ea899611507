import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";

/** The rules of a project, as its page shows them. */
export async function getGroupingPage({ state, scope }: Pick<Workspace, "state" | "scope">, project: Project) {
  const rules = await state.groupingRules.getRules(scope, project.id);
  if (rules === null) throw new Error(`project ${project.id} of the scope has no rules`);
  const merges = await state.issueMerges.listMerges(scope, { projectId: project.id });
  const splits = await state.issueSplits.listSplits(scope, { projectId: project.id });
  const moves = await state.ruleMoves.listMoves(scope, project.id);
  const uses = await state.groupingRules.listUses(scope, project.id);
  return { rules, uses, merges, splits, moves, movedAt: project.groupingMovedAt };
}
