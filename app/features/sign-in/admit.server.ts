import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import type { Attempt } from "./attempt.server.ts";

/** Why a person with the right credentials is not signed in yet. */
export type Delay =
  /** Their account has a second factor. */
  | { reason: "second-factor"; userId: number }
  /** The organization requires a provider. */
  | { reason: "provider-only" }
  /** The provider was turned off since, or the person is not connected with it any more. */
  | { reason: "provider-gone" }
  /** The password was changed since it was compared. */
  | { reason: "password-changed" };

/** Thrown before a session is made, so that none is made, whichever way the person signed in. */
export class NotAdmitted extends Error {
  readonly delay: Delay;

  constructor(delay: Delay) {
    super(`not admitted: ${delay.reason}`);
    this.delay = delay;
  }
}

interface Parts {
  people: Pick<PeopleStore, "getUser" | "findCredentials">;
  secondFactors: Pick<SecondFactorStore, "getSecondFactor">;
  providerSignIns: Pick<ProviderSignInStore, "listOffered" | "findProvider" | "findSubject">;
}

/**
 * Decides whether a session may begin. Every session that better-auth makes passes here, whichever endpoint makes it.
 *
 * @throws NotAdmitted if something else must come first
 */
export async function admit(
  { people, secondFactors, providerSignIns }: Parts,
  { providerId, isWhole, passwordHash }: Pick<Attempt, "providerId" | "isWhole" | "passwordHash">,
  userId: number,
): Promise<void> {
  // A comparison may wait for seconds. A change of the password in the meantime ends all sessions, but this one would begin after it.
  if (passwordHash !== null) {
    const user = await people.getUser(userId);
    const credentials = user && (await people.findCredentials(user.email));
    if (credentials?.passwordHash !== passwordHash) throw new NotAdmitted({ reason: "password-changed" });
  }
  if (providerId === null && (await providerSignIns.listOffered()).isRequired) {
    const user = await people.getUser(userId);
    // Owners can always sign in, in case the provider fails.
    if (user?.role !== "owner") throw new NotAdmitted({ reason: "provider-only" });
  }
  // Up to ten minutes may pass between the provider's answer and a code.
  if (providerId !== null) {
    const provider = await providerSignIns.findProvider(providerId);
    if (!provider?.isEnabled || (await providerSignIns.findSubject({ providerId, userId })) === null)
      throw new NotAdmitted({ reason: "provider-gone" });
  }
  if (isWhole) return;
  const factor = await secondFactors.getSecondFactor(userId);
  if (factor !== null && factor.confirmedAt !== null) throw new NotAdmitted({ reason: "second-factor", userId });
}
