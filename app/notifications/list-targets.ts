import { toChannelAddress } from "../domain/channels/channel-place.ts";
import type { NotificationSettings } from "../domain/notification.ts";
import type { DeliveryTarget } from "../stores/state/delivery-store.ts";

/** The addresses and channels of a project. `ownerEmail` null: the server has no owner yet. */
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

/** The target for messages about a project to a channel. */
export function toChannelTarget(projectId: number, channelId: number, place = ""): DeliveryTarget {
  return { projectId, channel: "channel", address: toChannelAddress(channelId, place) };
}
