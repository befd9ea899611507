import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import type { Attempt } from "./attempt.server.ts";

/** Why a person who gave what was asked for is not signed in yet. */
export type Delay =
  /** Their account has a second factor. */
  | { reason: "second-factor"; userId: number }
  /** The organization signs in with a provider. */
  | { reason: "provider-only" }
  /** The provider that said who they are was turned off since, or the person is not connected with it any more. */
  | { reason: "provider-gone" }
  /** The password was right when it was compared, and was changed since. */
  | { reason: "password-changed" };

/** Thrown before a session is made: so none is, whichever way in it was. */
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
 * The one door. Every session that better-auth makes passes it, by whatever endpoint.
 *
 * @throws NotAdmitted where something else has to come first.
 */
export async function admit(
  { people, secondFactors, providerSignIns }: Parts,
  { providerId, isWhole, passwordHash }: Pick<Attempt, "providerId" | "isWhole" | "passwordHash">,
  userId: number,
): Promise<void> {
  // A comparison waits seconds for its turn. A change of the password ends all sessions, and this one would begin after it.
  if (passwordHash !== null) {
    const user = await people.getUser(userId);
    const credentials = user && (await people.findCredentials(user.email));
    if (credentials?.passwordHash !== passwordHash) throw new NotAdmitted({ reason: "password-changed" });
  }
  if (providerId === null && (await providerSignIns.listOffered()).isRequired) {
    const user = await people.getUser(userId);
    // Owners can always get in, should the provider be away.
    if (user?.role !== "owner") throw new NotAdmitted({ reason: "provider-only" });
  }
  // Between the provider's answer and a code there may be ten minutes.
  if (providerId !== null) {
    const provider = await providerSignIns.findProvider(providerId);
    if (!provider?.isEnabled || (await providerSignIns.findSubject({ providerId, userId })) === null)
      throw new NotAdmitted({ reason: "provider-gone" });
  }
  if (isWhole) return;
  const factor = await secondFactors.getSecondFactor(userId);
  if (factor !== null && factor.confirmedAt !== null) throw new NotAdmitted({ reason: "second-factor", userId });
}
