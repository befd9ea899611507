import type { Workspace } from "../../access/workspace.ts";
import type { Reach } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import type { PushBrowser } from "../../stores/state/push-store.ts";

export interface OwnReach {
  browsers: PushBrowser[];
  /** By which browsers know this server. */
  publicKey: string;
  reach: Reach;
  /** False: this server has no mail. */
  sendsMail: boolean;
}

/** How the viewer is told: their browsers, and what comes which way. */
export async function getOwnReach({ state, notifications }: Workspace, viewer: User): Promise<OwnReach> {
  const [browsers, reach, publicKey] = await Promise.all([
    state.push.listBrowsers(viewer.id),
    state.push.getReach(viewer.id),
    notifications.getPushKey(),
  ]);
  return { browsers, publicKey, reach, sendsMail: notifications.mailFrom !== null };
}
