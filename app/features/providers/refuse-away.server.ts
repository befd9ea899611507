import { isAwayTooLong, needsProvider } from "../../domain/people/provider-session.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { hasPassword } from "../auth/confirm-password.server.ts";

/** Why tokens of the user do not work now, as a sentence; null: they work. */
export async function refuseAway(
  {
    people,
    providerSignIns,
  }: { people: Pick<PeopleStore, "findCredentials">; providerSignIns: Pick<ProviderSignInStore, "getStanding"> },
  user: User,
  now: number,
): Promise<string | null> {
  const standing = await providerSignIns.getStanding(user.id);
  if (!standing || !isAwayTooLong(standing, now)) return null;
  if (!needsProvider(standing, await hasPassword(people, user))) return null;
  if (standing.seenAt === null)
    return "its owner is connected with no provider of the organization. It works again once they have signed in by one.";
  const days = standing.tokenDays === 1 ? "a day" : `${standing.tokenDays} days`;
  return `its owner has not signed in by the organization\u2019s provider for ${days}. It works again once they have.`;
}
