import type { ProviderPerson } from "../../domain/people/provider.ts";
import { applyRules } from "../../domain/people/provider-rules.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { DECOY_HASH } from "../auth/password.server.ts";
import { toUsablePerson } from "./usable-person.ts";

/** Signs in the person that a provider names: finds or makes their account, and gives it what the provider's rules say. */
export function signInPerson(
  providerSignIns: Pick<ProviderSignInStore, "signInByProvider">,
  provider: { id: number; rules: Parameters<typeof applyRules>[0] },
  { person, now }: { person: ProviderPerson; now: number },
): ReturnType<ProviderSignInStore["signInByProvider"]> {
  return providerSignIns.signInByProvider({
    providerId: provider.id,
    person: toUsablePerson(person),
    grant: applyRules(provider.rules, person.claims).grant,
    passwordHash: DECOY_HASH,
    at: now,
  });
}
