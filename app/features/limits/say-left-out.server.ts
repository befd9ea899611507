import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";

/** The most issues whose numbers are added. */
const MAX_ISSUES = 100_000;

/** The number of events of the scope that were counted and not stored in this time. */
export async function countLeftOut(
  { state }: Pick<Workspace, "state">,
  scope: Scope,
  { since, until }: { since: number; until: number },
): Promise<number> {
  const leftOut = await state.volumes.listLeftOut(scope, { since, until, limit: MAX_ISSUES });
  return [...leftOut.values()].reduce((total, count) => total + count, 0);
}

/** A sentence about the number. The caller says what it means for the figure beside it. */
export function sayLeftOut(count: number): string {
  return count === 1
    ? "1 event of this time was counted and not stored."
    : `${count.toLocaleString("en")} events of this time were counted and not stored.`;
}
