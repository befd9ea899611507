import type { Workspace } from "../../access/workspace.ts";
import type { User } from "../../domain/user.ts";
import { removeBrowser, renewBrowser, subscribeBrowser, testBrowser } from "./change-browsers.server.ts";
import type { PushResult } from "./push-result.ts";
import { saveReach } from "./save-reach.server.ts";

/** What the forms of the panel *How you are told* post. */
const CHANGES = {
  reach: saveReach,
  "push-subscribe": subscribeBrowser,
  "push-renew": renewBrowser,
  "push-remove": removeBrowser,
  "push-test": testBrowser,
} as const;

/** Null: the form is another panel's. */
export async function changeOwnReach(
  workspace: Workspace,
  change: { viewer: User; form: FormData; userAgent: string | null; now: number },
): Promise<PushResult | null> {
  const intent = String(change.form.get("intent"));
  return Object.hasOwn(CHANGES, intent) ? await CHANGES[intent as keyof typeof CHANGES](workspace, change) : null;
}
