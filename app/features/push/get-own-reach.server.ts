import type { Workspace } from "../../access/workspace.ts";
import type { Reach } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import type { PushBrowser } from "../../stores/state/push-store.ts";

export interface OwnReach {
  browsers: PushBrowser[];
  /** By which browsers know this server. */
  publicKey: string;
  reach: Reach;
  /** Of times in mails, as the viewer or their quiet hours have it; null: neither. */
  timezone: string | null;
  /** False: this server has no mail. */
  sendsMail: boolean;
}

/** How the viewer is told: their browsers, and what comes which way. */
export async function getOwnReach({ state, notifications }: Workspace, viewer: User): Promise<OwnReach> {
  const [browsers, reach, publicKey, quietHours] = await Promise.all([
    state.push.listBrowsers(viewer.id),
    state.push.getReach(viewer.id),
    notifications.getPushKey(),
    state.quietHours.getQuietHours(viewer.id),
  ]);
  const timezone = reach.timezone ?? quietHours?.timezone ?? null;
  return { browsers, publicKey, reach, timezone, sendsMail: notifications.mailFrom !== null };
}
