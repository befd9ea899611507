import { readChannelAddress } from "../../domain/channels/channel-place.ts";
import { findPerson } from "../../notifications/list-person-targets.ts";
import type { Receivers } from "../../notifications/list-rule-targets.ts";
import type { DeliveryTarget } from "../../stores/state/delivery-store.ts";

export function nameTarget(
  target: Pick<DeliveryTarget, "channel" | "address">,
  { members, channels }: Pick<Receivers, "members" | "channels">,
): string {
  const { channel, address } = target;
  const person = findPerson(target);
  if (person !== null) {
    const name = members.find(({ userId }) => userId === person)?.name ?? "somebody";
    return channel === "push" ? `${name} (browser)` : name;
  }
  if (channel === "channel") {
    const { channelId, place } = readChannelAddress(address);
    const name = channels.find(({ id }) => id === channelId)?.name ?? "a channel that is gone";
    return place === "" ? name : `${name} (${place})`;
  }
  return address;
}
