import type { OAuthProvider } from "@better-auth/core/oauth2";
import { getOAuthState } from "better-auth/api";
import { currentAttempt, PROVIDER, type ProviderErrand } from "./attempt.server.ts";

/**
 * The only provider that better-auth knows: that of the attempt. Providers are added and changed on a page, and better-auth reads its
 * providers when it starts.
 */
export const providerOfAttempt = {
  id: PROVIDER,
  name: PROVIDER,
  requiresIdTokenNonce: true,
  createAuthorizationURL: ({ state, codeVerifier, idTokenNonce = "" }) =>
    errandOfAttempt().toUrl({ state, verifier: codeVerifier, nonce: idTokenNonce }),
  // The code is exchanged below, where the nonce is known.
  validateAuthorizationCode: async ({ codeVerifier = "" }) => ({ raw: { codeVerifier } }),
  async getUserInfo({ raw, expectedIdTokenNonce = "" }) {
    const attempt = currentAttempt();
    const secrets = { verifier: String(raw?.codeVerifier), nonce: expectedIdTokenNonce };
    const state = await getOAuthState();
    attempt.identified = await errandOfAttempt().identify(secrets, state?.errorURL ?? "");
    // Claims have already decided. The account keeps its address and name.
    const { userId, subject } = attempt.identified;
    return { user: { email: `${userId}@invalid`, emailVerified: false }, data: { sub: subject } };
  },
  accountSubject: ({ profile }) => profile.sub,
  options: { disableSignUp: true },
} satisfies OAuthProvider<{ sub: string }>;

function errandOfAttempt(): ProviderErrand {
  const { errand } = currentAttempt();
  if (!errand) throw new Error("better-auth asks a provider, and the attempt is about none");
  return errand;
}
