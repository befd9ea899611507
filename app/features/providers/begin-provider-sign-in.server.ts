import type { Provider } from "../../domain/people/provider.ts";
import {
  isProviderProblem,
  type ProviderClient,
  type SignInSecrets,
  toStrangersMessage,
} from "../../domain/people/provider-client.ts";
import type { ProxyIdentity } from "../../domain/people/proxy-identity.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";
import { askAuth } from "../sign-in/ask-auth.server.ts";
import { makeAttempt, PROVIDER } from "../sign-in/attempt.server.ts";
import type { AuthParts } from "../sign-in/auth-parts.ts";
import { keepOAuthState } from "../sign-in/oauth-state.server.ts";
import { type ProviderMode, writeTrip } from "./provider-trip.ts";
import { pickProviderClient } from "./proxy-client.server.ts";

/** Limits sign-ins at providers from one network: each makes a cookie, and some ask the provider. Sign-ins by password do not count. */
const BEGUN_FROM_NETWORK = new AttemptCounter({ maxAttempts: 60, windowMs: 10 * MINUTE_MS });

export type BeginProviderResult =
  | { ok: true; url: string; cookies: string[] }
  | { ok: false; status: 403 | 404 | 429 | 502; message: string; retryAfter: number | null };

/** The key of the limit: the network. Behind a proxy everybody may have one address, so there it is the person that the proxy names. */
export function toSender(
  { kind }: Pick<Provider, "kind">,
  { proxyIdentity, clientAddress }: { proxyIdentity: ProxyIdentity | null; clientAddress: string | null },
): string {
  return kind === "proxy" && proxyIdentity ? `proxy ${proxyIdentity.user}` : toNetwork(clientAddress);
}

/** The address to which a provider sends people back. The provider's settings must allow it. */
export function toRedirectUri(settings: { publicUrl: string | null }, origin: string, providerId: number): string {
  return `${settings.publicUrl ?? origin}/sign-in/callback/${providerId}`;
}

/** Sends the browser to the provider. */
export async function beginProviderSignIn(
  parts: AuthParts & {
    providerSignIns: Pick<ProviderSignInStore, "findProvider">;
    providerClient: ProviderClient;
    settings: { publicUrl: string | null };
  },
  {
    providerId,
    mode,
    to,
    viewer,
    request,
    clientAddress,
    proxyIdentity,
    origin,
    isSecure,
    now,
  }: {
    providerId: number;
    mode: ProviderMode;
    to: string;
    viewer: User | null;
    request: Request;
    clientAddress: string | null;
    proxyIdentity: ProxyIdentity | null;
    origin: string;
    isSecure: boolean;
    now: number;
  },
): Promise<BeginProviderResult> {
  const { providerSignIns, providerClient, settings } = parts;
  const provider = await providerSignIns.findProvider(providerId);
  if (!provider || (mode !== "test" && !provider.isEnabled)) return refused(404, "There is no such way to sign in.");
  const isOfMember = mode === "connect" || mode === "test";
  if (isOfMember && !viewer) return refused(403, "Sign in first.");
  if (mode === "test" && viewer?.role !== "owner") return refused(403, "Only an owner tests how members sign in.");
  const at = performance.now();
  const network = toSender(provider, { proxyIdentity, clientAddress });
  const retryAfter = BEGUN_FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfter > 0) return { ...refused(429, "Too many attempts."), retryAfter };
  BEGUN_FROM_NETWORK.record(network, at);
  const redirectUri = toRedirectUri(settings, origin, providerId);
  const client = pickProviderClient(providerClient, provider, proxyIdentity);
  const errand = {
    toUrl: (secrets: SignInSecrets) => client.begin(provider, { redirectUri, isSilent: mode === "silent", secrets }),
    identify: () => Promise.reject(new Error("nobody has come back yet")),
  };
  const attempt = makeAttempt({ request, isSecure, now, by: provider.name, providerId, errand });
  const userId = isOfMember ? (viewer?.id ?? null) : null;
  try {
    const outcome = await askAuth(parts, attempt, (api) =>
      api.signInSocial({
        body: { provider: PROVIDER, callbackURL: "/", errorCallbackURL: writeTrip({ providerId, mode, to, userId }) },
        returnHeaders: true,
      }),
    );
    if (outcome.kind !== "answered" || !outcome.answer.response.url)
      throw new Error(`better-auth sends nobody to a provider: ${outcome.kind}`);
    const { response, headers } = outcome.answer;
    // A path, because only the proxy knows the host name that the browser used.
    const url = new URL(response.url);
    return {
      ok: true,
      url: provider.kind === "proxy" ? url.pathname + url.search : url.href,
      cookies: keepOAuthState(headers, { isSecure }),
    };
  } catch (error) {
    if (!isProviderProblem(error)) throw error;
    return refused(502, isOfMember ? error.message : toStrangersMessage(error));
  }
}

function refused(status: 403 | 404 | 429 | 502, message: string): BeginProviderResult & { ok: false } {
  return { ok: false, status, message, retryAfter: null };
}
