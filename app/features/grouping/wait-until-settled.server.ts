import { setTimeout } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";

/**
 * Milliseconds. Most decisions take effect sooner: a person who then opens an issue finds its events there. If it takes longer, the
 * page says so.
 */
const MAX_SETTLING_MS = 2_000;
const LOOK_EVERY_MS = 100;

/** Whether all events of these issues are in place within that time. */
export async function waitUntilSettled(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  issueIds: readonly number[],
): Promise<boolean> {
  return await waitUntil(async () => {
    for (const issueId of issueIds) if ((await state.issues.listUnsettled(scope, issueId)).length > 0) return false;
    return true;
  });
}

/** Whether a condition became true while a page can wait for it. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<boolean> {
  return await askUntil(isSo, { isEnough: (so) => so, maxMs: MAX_SETTLING_MS });
}

/** The first sufficient answer, or the last one in that time. */
export async function askUntil<Answer>(
  ask: () => Promise<Answer>,
  { isEnough, maxMs }: { isEnough: (answer: Answer) => boolean; maxMs: number },
): Promise<Answer> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const answer = await ask();
    if (isEnough(answer) || waitedMs >= maxMs) return answer;
    await setTimeout(LOOK_EVERY_MS);
  }
}
