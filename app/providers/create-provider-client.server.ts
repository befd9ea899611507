import type { ProviderClientSettings } from "../domain/people/provider.ts";
import { type ProviderClient, ProviderProblem } from "../domain/people/provider-client.ts";
import { createGuardedFetch } from "./guarded-fetch.server.ts";
import { createOidcClient } from "./oidc-client.server.ts";

/** Loaded when the first person signs in by GitHub: zod comes with it. */
const loadGithub = () => import("./github-client.server.ts");

/** Answers of providers that are waited for at once. Strangers begin sign-ins. */
const MAX_WAITING = 16;

export function createProviderClient({
  allowsPrivate,
  onProblem,
}: {
  /** Whether providers may be at addresses that are not of the public internet, and speak plain http. */
  allowsPrivate: boolean;
  /** Told of each provider that does not say who signs in: people who are not signed in do not hear the whole reason. */
  onProblem: (provider: ProviderClientSettings, problem: ProviderProblem) => void;
}): ProviderClient {
  const fetch = createGuardedFetch({ allowsPrivate });
  const oidc = createOidcClient({ fetch, allowsPrivate, now: () => performance.now() });
  let github: Promise<ProviderClient> | null = null;
  const pick = async ({ kind }: ProviderClientSettings) => {
    if (kind !== "github") return oidc;
    github ??= loadGithub().then(({ createGithubClient }) => createGithubClient({ fetch }));
    return await github;
  };
  let waiting = 0;
  async function ask<Result>(
    provider: ProviderClientSettings,
    work: (client: ProviderClient) => Promise<Result>,
  ): Promise<Result> {
    if (waiting >= MAX_WAITING) throw new ProviderProblem("Too many people sign in right now. Try again in a minute.");
    waiting += 1;
    try {
      return await work(await pick(provider));
    } catch (error) {
      if (error instanceof ProviderProblem) onProblem(provider, error);
      throw error;
    } finally {
      waiting -= 1;
    }
  }
  return {
    begin: (provider, options) => ask(provider, (client) => client.begin(provider, options)),
    finish: (provider, options) => ask(provider, (client) => client.finish(provider, options)),
    renew: (provider, options) => ask(provider, (client) => client.renew(provider, options)),
  };
}
