import { isProviderProblem, type ProviderClient } from "../../domain/people/provider-client.ts";
import { isToRenew, type ProviderSession } from "../../domain/people/provider-session.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { sealRenewalToken } from "../auth/renewal-token.ts";
import { signInPerson } from "./sign-in-person.server.ts";

interface Parts {
  people: Pick<PeopleStore, "renewSession" | "deleteSession">;
  providerSignIns: Pick<ProviderSignInStore, "findProvider" | "findSubject" | "signInByProvider">;
  providerClient: Pick<ProviderClient, "renew">;
}

interface Renewal {
  /** The session's token, with which the provider's token is sealed. */
  token: string;
  tokenHash: string;
  userId: number;
  session: ProviderSession;
  now: number;
}

/** After this time, a provider that did not answer is asked again for a session. */
const RETRY_MS = MINUTE_MS;
/** Sessions whose provider did not answer, with the time of the next attempt. Above the limit, the oldest is forgotten. */
const MAX_WAITING = 1_000;
const notBefore = new Map<string, number>();
/** Running requests by session. A page makes many requests at once, and a provider's token often works once. */
const running = new Map<string, Promise<ProviderSession | null>>();

/**
 * Asks the provider of a session again, if it is time, and returns the session. Null: the provider refused, and the session has ended. If
 * the provider does not answer, nothing changes, and the session is due after its hours.
 */
export async function renewProviderSession(parts: Parts, renewal: Renewal): Promise<ProviderSession | null> {
  const { tokenHash, session, now } = renewal;
  if (!isToRenew(session, now) || (notBefore.get(tokenHash) ?? 0) > now) return session;
  const known = running.get(tokenHash);
  if (known) return await known;
  const asked = askProvider(parts, renewal).finally(() => running.delete(tokenHash));
  running.set(tokenHash, asked);
  return await asked;
}

async function askProvider(
  { people, providerSignIns, providerClient }: Parts,
  { token, tokenHash, userId, session, now }: Renewal,
): Promise<ProviderSession | null> {
  const provider = await providerSignIns.findProvider(session.id);
  const subject = await providerSignIns.findSubject({ providerId: session.id, userId });
  if (!provider || subject === null || session.renewalToken === null) {
    await people.deleteSession(tokenHash);
    return null;
  }
  try {
    const { person, renewalToken } = await providerClient.renew(provider, {
      renewalToken: session.renewalToken,
      subject,
    });
    notBefore.delete(tokenHash);
    if (person) {
      const result = await signInPerson(providerSignIns, provider, { person, now });
      if (!result.ok || result.userId !== userId) {
        await people.deleteSession(tokenHash);
        return null;
      }
    }
    const renewed = { renewedAt: now, renewalToken, ...(person && { checkedAt: now }) };
    await people.renewSession(tokenHash, { ...renewed, renewalToken: sealRenewalToken(renewalToken, token) });
    return { ...session, ...renewed };
  } catch (error) {
    if (!isProviderProblem(error)) throw error;
    if (error.isRefusal) {
      await people.deleteSession(tokenHash);
      return null;
    }
    waitToRetry(tokenHash, now);
    return session;
  }
}

function waitToRetry(tokenHash: string, now: number): void {
  notBefore.set(tokenHash, now + RETRY_MS);
  if (notBefore.size > MAX_WAITING) for (const oldest of notBefore.keys()) return void notBefore.delete(oldest);
}
