import { z } from "zod";
import type { Provider } from "../../domain/people/provider.ts";
import { isProviderProblem, type ProviderClient, type SignInSecrets } from "../../domain/people/provider-client.ts";
import type { ProxyIdentity } from "../../domain/people/proxy-identity.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";
import { createSealedCookie } from "../auth/sealed-cookie.server.ts";
import { pickProviderClient } from "./proxy-client.server.ts";

/**
 * `test`: an owner sees which claims come, and nobody is signed in. `connect`: of somebody who is signed in. `silent`: a session is due, and
 * the provider answers without asking the person anything.
 */
export const PROVIDER_MODES = ["sign-in", "connect", "test", "silent"] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

/** What the browser brings back from the provider, beside the answer. */
export const providerStep = createSealedCookie(
  "culprit_provider",
  z.object({
    providerId: z.number(),
    mode: z.enum(PROVIDER_MODES),
    to: z.string(),
    /** Who asked to connect or to test; null: to sign in. */
    userId: z.number().nullable(),
    secrets: z.object({
      state: z.string(),
      nonce: z.string(),
      verifier: z.string(),
    }) satisfies z.ZodType<SignInSecrets>,
  }),
  { maxAgeMs: 10 * MINUTE_MS },
);

/** Sign-ins that begin in one network: each makes a cookie, and some ask the provider. Passwords do not count for it. */
const BEGUN_FROM_NETWORK = new AttemptCounter({ maxAttempts: 60, windowMs: 10 * MINUTE_MS });

export type BeginProviderResult =
  | { ok: true; url: string; cookie: string }
  | { ok: false; status: 403 | 404 | 429 | 502; message: string; retryAfter: number | null };

/** Who is counted: the network; of a proxy, behind which everybody may have one address, the person that it names. */
export function toSender(
  { kind }: Pick<Provider, "kind">,
  { proxyIdentity, clientAddress }: { proxyIdentity: ProxyIdentity | null; clientAddress: string | null },
): string {
  return kind === "proxy" && proxyIdentity ? `proxy ${proxyIdentity.user}` : toNetwork(clientAddress);
}

/** Where a provider sends people back to: what its settings there must allow. */
export function toRedirectUri(settings: { publicUrl: string | null }, origin: string, providerId: number): string {
  return `${settings.publicUrl ?? origin}/sign-in/callback/${providerId}`;
}

/** Sends the browser to the provider. */
export async function beginProviderSignIn(
  {
    providerSignIns,
    providerClient,
    settings,
  }: {
    providerSignIns: Pick<ProviderSignInStore, "findProvider">;
    providerClient: ProviderClient;
    settings: { publicUrl: string | null };
  },
  {
    providerId,
    mode,
    to,
    viewer,
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
    clientAddress: string | null;
    proxyIdentity: ProxyIdentity | null;
    origin: string;
    isSecure: boolean;
    now: number;
  },
): Promise<BeginProviderResult> {
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
  try {
    const redirectUri = toRedirectUri(settings, origin, providerId);
    const { url, secrets } = await pickProviderClient(providerClient, provider, proxyIdentity).begin(provider, {
      redirectUri,
      isSilent: mode === "silent",
    });
    const userId = isOfMember ? (viewer?.id ?? null) : null;
    const cookie = await providerStep.seal({ providerId, mode, to, userId, secrets }, { isSecure, now });
    return { ok: true, url, cookie };
  } catch (error) {
    if (isProviderProblem(error)) return refused(502, error.message);
    throw error;
  }
}

function refused(status: 403 | 404 | 429 | 502, message: string): BeginProviderResult & { ok: false } {
  return { ok: false, status, message, retryAfter: null };
}
