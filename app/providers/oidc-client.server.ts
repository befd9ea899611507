import type { Configuration, CustomFetch } from "openid-client";
import type { ProviderClientSettings, ProviderPerson } from "../domain/people/provider.ts";
import { MAX_RENEWAL_TOKEN, type ProviderClient, ProviderProblem } from "../domain/people/provider-client.ts";
import type { Claims } from "../domain/people/provider-rules.ts";
import { MINUTE_MS } from "../domain/time.ts";
import { explainAnswer } from "./explain-answer.ts";
import type { GuardedFetch } from "./guarded-fetch.server.ts";

/** How long what discovery said is believed. */
const DISCOVERY_MS = 10 * MINUTE_MS;
/** A provider that did not answer is asked again after so long: strangers begin sign-ins. */
const FAILURE_MS = 5_000;

/** The library is loaded when the first person signs in by a provider. */
const load = () => import("openid-client");
type Library = Awaited<ReturnType<typeof load>>;

/**
 * OpenID Connect by discovery: authorization code with PKCE, state and nonce. `openid-client` checks the claims of the id_token, and not
 * its signature: the token comes from the provider's own endpoint over TLS (OpenID Connect Core, 3.1.3.7).
 */
export function createOidcClient({
  fetch,
  allowsPrivate,
  now,
}: {
  fetch: GuardedFetch;
  allowsPrivate: boolean;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}): ProviderClient {
  const known = new Map<number, { key: string; until: number; found: Promise<Configuration> }>();

  const discover = (settings: ProviderClientSettings): Promise<Configuration> => {
    const { id, issuer, clientId, clientSecret } = settings;
    const key = JSON.stringify([issuer, clientId, clientSecret]);
    const last = known.get(id);
    if (last?.key === key && last.until > now()) return last.found;
    const found = load().then((library) => askIssuer(library, settings, { fetch, allowsPrivate }));
    const entry = { key, until: now() + DISCOVERY_MS, found };
    known.set(id, entry);
    found.catch(() => {
      entry.until = now() + FAILURE_MS;
    });
    return found;
  };

  return {
    async begin(settings, { redirectUri, isSilent, secrets }) {
      const library = await load();
      try {
        const configuration = await discover(settings);
        return library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: "S256",
          ...(isSilent && { prompt: "none" }),
        });
      } catch (error) {
        throw toProblem(library, error, settings);
      }
    },

    async finish(settings, { answer, redirectUri, secrets }) {
      const library = await load();
      try {
        const configuration = await discover(settings);
        // The answer came to where the provider was told to send it, whatever a proxy made of the address.
        const url = new URL(redirectUri);
        url.search = answer.search;
        const tokens = await library.authorizationCodeGrant(configuration, url, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (!idToken) throw new ProviderProblem("The provider sent no id_token.");
        const info =
          configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await library.fetchUserInfo(configuration, tokens.access_token, idToken.sub);
        // Groups stand in one of them, or in both. What the id_token says counts.
        return { person: toPerson({ ...info, ...idToken }), renewalToken: toRenewalToken(tokens.refresh_token) };
      } catch (error) {
        throw toProblem(library, error, settings);
      }
    },

    async renew(settings, { renewalToken, subject }) {
      const library = await load();
      try {
        const tokens = await library.refreshTokenGrant(await discover(settings), renewalToken);
        const named = tokens.claims()?.sub;
        if (named !== undefined && named !== subject)
          throw new ProviderProblem("The provider names somebody else.", { isRefusal: true });
        // What else the answer says is often less than at a sign-in, so no rule reads it.
        return { person: null, renewalToken: toRenewalToken(tokens.refresh_token) ?? renewalToken };
      } catch (error) {
        if (error instanceof library.ResponseBodyError && error.error === "invalid_grant")
          throw new ProviderProblem("The provider ended the session.", { isRefusal: true });
        throw toProblem(library, error, settings);
      }
    },
  };
}

function toRenewalToken(token: string | undefined): string | null {
  return token !== undefined && token.length <= MAX_RENEWAL_TOKEN ? token : null;
}

async function askIssuer(
  library: Library,
  { issuer, clientId, clientSecret }: ProviderClientSettings,
  { fetch, allowsPrivate }: { fetch: GuardedFetch; allowsPrivate: boolean },
): Promise<Configuration> {
  if (!allowsPrivate && !issuer.startsWith("https:"))
    throw new ProviderProblem(`${issuer} is asked over https only. ALLOW_PRIVATE_PROVIDERS=1 changes that.`, {
      isInternal: true,
    });
  const customFetch: CustomFetch = (url, { method, headers, body }) =>
    fetch(url, { method, headers, ...(body != null && { body: String(body) }) });
  const options = {
    [library.customFetch]: customFetch,
    ...(allowsPrivate && { execute: [library.allowInsecureRequests] }),
  };
  const configuration = await library.discovery(new URL(issuer), clientId, undefined, undefined, options);
  const methods = configuration.serverMetadata().token_endpoint_auth_methods_supported;
  // Where both are taken, the header: secrets in a body are logged more often.
  const usesBody = methods !== undefined && !methods.includes("client_secret_basic");
  const authentication = usesBody ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
  const made = new library.Configuration(configuration.serverMetadata(), clientId, undefined, authentication);
  made[library.customFetch] = customFetch;
  if (allowsPrivate) library.allowInsecureRequests(made);
  return made;
}

function toPerson(claims: Claims): ProviderPerson {
  const text = (name: string) => {
    const value = claims[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
  };
  const subject = text("sub");
  if (subject === null) throw new ProviderProblem("The provider does not say who it is.");
  return {
    subject,
    email: text("email"),
    isEmailVerified: claims.email_verified === true || claims.email_verified === "true",
    name: text("name") ?? text("preferred_username"),
    claims,
  };
}

/** What a person can act on. Answers of a provider may hold anything: they are cut, and are no markup. */
function toProblem(library: Library, error: unknown, { issuer }: ProviderClientSettings): Error {
  if (error instanceof ProviderProblem) return error;
  if (error instanceof Error && error.cause instanceof ProviderProblem) return error.cause;
  if (error instanceof library.AuthorizationResponseError)
    return new ProviderProblem(`The provider refused: ${describe(error.error, error.error_description)}`);
  if (refusesClient(library, error))
    return new ProviderProblem(`${issuer} does not take this client ID with this secret. Check both.`, {
      isInternal: true,
    });
  if (error instanceof library.ResponseBodyError)
    return new ProviderProblem(`The provider refused: ${describe(error.error, error.error_description)}`);
  const reason = explainAnswer(error).slice(0, 300);
  return new ProviderProblem(`The answer of ${issuer} cannot be used: ${reason}.`, { isInternal: true });
}

/** Whether the provider refuses Culprit, not the person: as the body of the answer says it, or its header. */
function refusesClient(library: Library, error: unknown): boolean {
  if (error instanceof library.ResponseBodyError) return error.error === "invalid_client";
  if (!(error instanceof library.WWWAuthenticateChallengeError)) return false;
  return error.cause.every(({ parameters }) => parameters.error !== "invalid_token");
}

function describe(error: string, description: string | undefined): string {
  return [error, description].filter(Boolean).join(": ").slice(0, 300);
}
