import type { Workspace } from "../../access/workspace.ts";
import { isTimezone } from "../../domain/monitors/schedule.ts";
import { PERSONAL_NEWS, type PersonalNews, WAYS, type Way } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import type { PushResult } from "./push-result.ts";

/** Longer than any name of a time zone. */
const MAX_TIMEZONE = 64;

/** Saves how the viewer is told of what, from the ticked boxes of the form, and their time zone. It applies to news from now on. */
export async function saveReach(
  { state }: Workspace,
  { viewer, form }: { viewer: User; form: FormData },
): Promise<PushResult> {
  const ticked = new Set(form.getAll("way").map(String));
  const reach = Object.fromEntries(
    PERSONAL_NEWS.map((news) => [news, Object.fromEntries(WAYS.map((way) => [way, ticked.has(`${news} ${way}`)]))]),
  ) as Record<PersonalNews, Record<Way, boolean>>;
  const timezone = String(form.get("mail-timezone") ?? "").trim();
  if (timezone !== "" && (timezone.length > MAX_TIMEZONE || !isTimezone(timezone))) {
    const message = `There is no time zone “${timezone.slice(0, MAX_TIMEZONE)}”. Use a name like Europe/Berlin.`;
    return { ok: false, status: 400, field: "mail-timezone", message };
  }
  await state.push.saveReach(viewer.id, { ...reach, ...(timezone !== "" && { timezone }) });
  const silent = PERSONAL_NEWS.filter((news) => WAYS.every((way) => !reach[news][way]));
  return {
    ok: true,
    done: silent.length === 0 ? "Your choice is saved." : "Saved. Some news no longer reaches you in any way.",
  };
}
