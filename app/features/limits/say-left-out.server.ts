import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";

/** The numbers of so many issues are added. */
const MAX_ISSUES = 100_000;

/** Events of the scope that were counted and not stored in this time. */
export async function countLeftOut(
  { state }: Pick<Workspace, "state">,
  scope: Scope,
  { since, until }: { since: number; until: number },
): Promise<number> {
  const leftOut = await state.volumes.listLeftOut(scope, { since, until, limit: MAX_ISSUES });
  return [...leftOut.values()].reduce((total, count) => total + count, 0);
}

/** Of this many. What that means for the figure beside it is for the caller to say. */
export function sayLeftOut(count: number): string {
  return count === 1
    ? "1 event of this time was counted and not stored."
    : `${count.toLocaleString("en")} events of this time were counted and not stored.`;
}
