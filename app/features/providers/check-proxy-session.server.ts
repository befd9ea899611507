import type { ProviderSession } from "../../domain/people/provider-session.ts";
import { type ProxyIdentity, toProxyPerson } from "../../domain/people/proxy-identity.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { hashIdentity } from "./proxy-client.server.ts";
import { signInPerson } from "./sign-in-person.server.ts";

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
  const result = await signInPerson(providerSignIns, provider, { person: toProxyPerson(identity), now });
  if (!result.ok || result.userId !== userId) {
    await people.deleteSession(tokenHash);
    return false;
  }
  await people.renewSession(tokenHash, { renewedAt: now, checkedAt: now, renewalToken });
  return true;
}
