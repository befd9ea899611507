import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { LinkStore } from "../../stores/state/invitation-store.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";

/** The stores that sign-in uses. */
export interface AuthParts {
  people: PeopleStore;
  secondFactors: Pick<SecondFactorStore, "getSecondFactor">;
  providerSignIns: Pick<ProviderSignInStore, "listOffered" | "findProvider" | "findSubject">;
  links: Pick<LinkStore, "findReset" | "takeReset">;
  passwords: PasswordHasher;
}
