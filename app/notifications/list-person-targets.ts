import { DEFAULT_REACH, type PersonalNews } from "../domain/push/push-subscription.ts";
import type { DeliveryTarget } from "../stores/state/delivery-store.ts";
import type { PersonalReach } from "../stores/state/push-store.ts";

/** How people want to be told. A person who is not in `reach` has chosen nothing, and has no browser. */
export interface PersonalReaches {
  reach: ReadonlyMap<number, PersonalReach>;
  isMailSetUp: boolean;
}

/** The targets of a person for such news: mail and each of their browsers, as they have chosen. */
export function listPersonTargets(
  { projectId, userId }: { projectId: number; userId: number },
  news: PersonalNews,
  { reach, isMailSetUp }: PersonalReaches,
): DeliveryTarget[] {
  const own = reach.get(userId);
  const { mail, browsers } = (own?.reach ?? DEFAULT_REACH)[news];
  return [
    ...(mail && isMailSetUp ? [{ projectId, channel: "person", address: String(userId) } as const] : []),
    ...(browsers && own ? own.browserIds.map((id) => toBrowserTarget(projectId, userId, id)) : []),
  ];
}

function toBrowserTarget(projectId: number, userId: number, browserId: number): DeliveryTarget {
  return { projectId, channel: "push", address: `${userId}/${browserId}` };
}

/** The person to whom the target belongs. Null: it is an address or a channel. */
export function findPerson({ channel, address }: Pick<DeliveryTarget, "channel" | "address">): number | null {
  return channel === "person" || channel === "push" ? Number.parseInt(address, 10) : null;
}

export function findBrowserId({ address }: Pick<DeliveryTarget, "address">): number {
  return Number(address.slice(address.indexOf("/") + 1));
}
