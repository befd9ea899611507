import type { Workspace } from "../../access/workspace.ts";
import type { Reach } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import type { PushBrowser } from "../../stores/state/push-store.ts";

export interface OwnReach {
  browsers: PushBrowser[];
  /** The key by which browsers recognize this server. */
  publicKey: string;
  reach: Reach;
  /** The time zone for times in mails, from the viewer or their quiet hours. Null: neither has one. */
  timezone: string | null;
  /** Whether this server can send mail. */
  sendsMail: boolean;
}

/** How the viewer is told: their browsers, and which news come which way. */
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
