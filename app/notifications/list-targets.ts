import type { NotificationSettings } from "../domain/notification.ts";
import type { DeliveryTarget } from "../stores/state/delivery-store.ts";

/** Everybody who hears of a project. `ownerEmail` null: nobody has set the server up. */
export function listTargets(
  projectId: number,
  { emails, webhook }: NotificationSettings,
  { ownerEmail, isMailSetUp }: { ownerEmail: string | null; isMailSetUp: boolean },
): DeliveryTarget[] {
  const addresses = isMailSetUp ? (emails ?? (ownerEmail === null ? [] : [ownerEmail])) : [];
  const targets = addresses.map((address): DeliveryTarget => ({ projectId, channel: "email", address }));
  return webhook === null ? targets : [...targets, { projectId, channel: "webhook", address: "" }];
}
