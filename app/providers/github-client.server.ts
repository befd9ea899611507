import { createHash } from "node:crypto";
import { z } from "zod";
import type { ProviderClientSettings, ProviderPerson } from "../domain/people/provider.ts";
import { type ProviderClient, ProviderProblem } from "../domain/people/provider-client.ts";
import type { GuardedFetch } from "./guarded-fetch.server.ts";

const MAX_LISTED = 100;

const userSchema = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const orgsSchema = z.array(z.object({ login: z.string() }));
const teamsSchema = z.array(z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }));
const tokenSchema = z.object({
  access_token: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/**
 * GitHub speaks OAuth and has no id_token: its API says who somebody is. The claims that rules see are `login`, `orgs` (names) and
 * `teams` (`organization/team`).
 */
export function createGithubClient({ fetch }: { fetch: GuardedFetch }): ProviderClient {
  return {
    async begin({ issuer, clientId, scopes }, { redirectUri, secrets: { state, verifier } }) {
      const url = new URL(`${issuer}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      }).toString();
      return url;
    },

    async finish(settings, { answer, redirectUri, secrets }) {
      const code = answer.searchParams.get("code");
      if (code === null) throw new ProviderProblem("The answer of GitHub has no code.");
      const token = await takeToken(fetch, settings, { code, redirectUri, verifier: secrets.verifier });
      return { person: await askWho(fetch, settings, token), renewalToken: token };
    },

    // Tokens of OAuth apps do not expire: with one, the API says who it is as often as one asks.
    async renew(settings, { renewalToken, subject }) {
      const person = await askWho(fetch, settings, renewalToken);
      if (person.subject !== subject) throw new ProviderProblem("GitHub names somebody else.", { isRefusal: true });
      return { person, renewalToken };
    },
  };
}

async function takeToken(
  fetch: GuardedFetch,
  { issuer, clientId, clientSecret }: ProviderClientSettings,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
): Promise<string> {
  const answer = await fetch(`${issuer}/login/oauth/access_token`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }).toString(),
  });
  const token = await readJson(answer, tokenSchema);
  if (token.access_token !== undefined) return token.access_token;
  throw new ProviderProblem(`GitHub refused: ${`${token.error}: ${token.error_description ?? ""}`.slice(0, 300)}`);
}

async function askWho(fetch: GuardedFetch, { issuer }: ProviderClientSettings, token: string): Promise<ProviderPerson> {
  const api = issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "user-agent": "Culprit (sign-in)",
    "x-github-api-version": "2022-11-28",
  };
  const ask = <Schema extends z.ZodType>(path: string, schema: Schema) =>
    fetch(api + path, { method: "GET", headers }).then((answer) => readJson(answer, schema));
  const [user, emails, orgs, teams] = await Promise.all([
    ask("/user", userSchema),
    ask("/user/emails", emailsSchema),
    ask(`/user/orgs?per_page=${MAX_LISTED}`, orgsSchema),
    ask(`/user/teams?per_page=${MAX_LISTED}`, teamsSchema),
  ]);
  const primary = emails.find((each) => each.primary);
  const claims = {
    sub: String(user.id),
    login: user.login,
    name: user.name ?? user.login,
    email: primary?.email ?? null,
    email_verified: primary?.verified ?? false,
    orgs: orgs.map(({ login }) => login),
    teams: teams.map(({ slug, organization }) => `${organization.login}/${slug}`),
  };
  return {
    subject: claims.sub,
    email: claims.email,
    isEmailVerified: claims.email_verified,
    name: claims.name,
    claims,
  };
}

async function readJson<Schema extends z.ZodType>(answer: Response, schema: Schema): Promise<z.infer<Schema>> {
  if (!answer.ok) throw new ProviderProblem(`GitHub answered ${answer.status}.`, { isRefusal: answer.status === 401 });
  const parsed = schema.safeParse(await answer.json().catch(() => null));
  if (!parsed.success) throw new ProviderProblem("GitHub answered something else than was asked for.");
  return parsed.data;
}
