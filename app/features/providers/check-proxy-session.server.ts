import { applyRules } from "../../domain/people/provider-rules.ts";
import type { ProviderSession } from "../../domain/people/provider-session.ts";
import { type ProxyIdentity, toProxyPerson } from "../../domain/people/proxy-identity.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { DECOY_HASH } from "../auth/password.server.ts";
import { hashIdentity } from "./proxy-client.server.ts";
import { toUsablePerson } from "./usable-person.ts";

/** Rules are applied again after this time, because they may have changed, and the last use of the account is noted. */
const APPLY_RULES_AFTER_MS = HOUR_MS;

/**
 * Whether the proxy names the person of its session with this request. If not, the session ends. If the proxy says something new of the
 * person, like other groups, the rules are applied at once.
 */
export async function checkProxySession(
  {
    people,
    providerSignIns,
  }: {
    people: Pick<PeopleStore, "renewSession" | "deleteSession">;
    providerSignIns: Pick<ProviderSignInStore, "findProvider" | "findSubject" | "signInByProvider">;
  },
  {
    tokenHash,
    userId,
    session,
    identity,
    now,
  }: { tokenHash: string; userId: number; session: ProviderSession; identity: ProxyIdentity | null; now: number },
): Promise<boolean> {
  const subject = await providerSignIns.findSubject({ providerId: session.id, userId });
  if (identity === null || identity.user !== subject) {
    await people.deleteSession(tokenHash);
    return false;
  }
  const renewalToken = hashIdentity(identity);
  if (renewalToken === session.renewalToken && now - session.checkedAt < APPLY_RULES_AFTER_MS) return true;
  const provider = await providerSignIns.findProvider(session.id);
  if (!provider) return false;
  const person = toProxyPerson(identity);
  const result = await providerSignIns.signInByProvider({
    providerId: provider.id,
    person: toUsablePerson(person),
    grant: applyRules(provider.rules, person.claims).grant,
    passwordHash: DECOY_HASH,
    at: now,
  });
  if (!result.ok || result.userId !== userId) {
    await people.deleteSession(tokenHash);
    return false;
  }
  await people.renewSession(tokenHash, { renewedAt: now, checkedAt: now, renewalToken });
  return true;
}
