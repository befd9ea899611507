import type { Workspace } from "../../access/workspace.ts";
import type { User } from "../../domain/user.ts";
import { removeBrowser, renewBrowser, subscribeBrowser, testBrowser } from "./change-browsers.server.ts";
import type { PushResult } from "./push-result.ts";
import { saveReach } from "./save-reach.server.ts";

/** The intents of the forms in the panel *How you are told*. */
const CHANGES = {
  reach: saveReach,
  "push-subscribe": subscribeBrowser,
  "push-renew": renewBrowser,
  "push-remove": removeBrowser,
  "push-test": testBrowser,
} as const;

/** Null: the form belongs to another panel. */
export async function changeOwnReach(
  workspace: Workspace,
  change: { viewer: User; form: FormData; userAgent: string | null; now: number },
): Promise<PushResult | null> {
  const intent = String(change.form.get("intent"));
  return Object.hasOwn(CHANGES, intent) ? await CHANGES[intent as keyof typeof CHANGES](workspace, change) : null;
}
