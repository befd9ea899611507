import { toChannelAddress } from "../domain/channels/channel-place.ts";
import type { NotificationSettings } from "../domain/notification.ts";
import type { DeliveryTarget } from "../stores/state/delivery-store.ts";

/** The addresses and channels of a project. `ownerEmail` null: nobody has set the server up. */
export function listTargets(
  projectId: number,
  { emails, channelIds }: NotificationSettings,
  { ownerEmail, isMailSetUp }: { ownerEmail: string | null; isMailSetUp: boolean },
): DeliveryTarget[] {
  const addresses = isMailSetUp ? (emails ?? (ownerEmail === null ? [] : [ownerEmail])) : [];
  return [
    ...addresses.map((address): DeliveryTarget => ({ projectId, channel: "email", address })),
    ...channelIds.map((id) => toChannelTarget(projectId, id)),
  ];
}

/** News of a project for a channel. */
export function toChannelTarget(projectId: number, channelId: number, place = ""): DeliveryTarget {
  return { projectId, channel: "channel", address: toChannelAddress(channelId, place) };
}
