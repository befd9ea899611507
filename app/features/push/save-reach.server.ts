import type { Workspace } from "../../access/workspace.ts";
import { PERSONAL_NEWS, type Reach, WAYS } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import type { PushResult } from "./push-result.ts";

/** Saves what reaches the viewer how, as the boxes of the form are ticked. It holds for what happens from now on. */
export async function saveReach(
  { state }: Workspace,
  { viewer, form }: { viewer: User; form: FormData },
): Promise<PushResult> {
  const ticked = new Set(form.getAll("way").map(String));
  const reach = Object.fromEntries(
    PERSONAL_NEWS.map((news) => [news, Object.fromEntries(WAYS.map((way) => [way, ticked.has(`${news} ${way}`)]))]),
  ) as Reach;
  await state.push.saveReach(viewer.id, reach);
  const silent = PERSONAL_NEWS.filter((news) => WAYS.every((way) => !reach[news][way]));
  return {
    ok: true,
    done: silent.length === 0 ? "What reaches you how is saved." : "Saved. Some news reach you in no way any more.",
  };
}
