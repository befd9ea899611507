import type { ProviderClientSettings, ProviderPerson } from "./provider.ts";

/** What ties the answer of a provider to the browser that asked. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

/** Asks providers who somebody is. */
export interface ProviderClient {
  /** Where the browser goes. @throws {ProviderProblem} */
  begin(
    provider: ProviderClientSettings,
    options: { redirectUri: string },
  ): Promise<{ url: string; secrets: SignInSecrets }>;
  /** `answer`: the address with which the browser came back. @throws {ProviderProblem} */
  finish(
    provider: ProviderClientSettings,
    options: { answer: URL; redirectUri: string; secrets: SignInSecrets },
  ): Promise<ProviderPerson>;
}

/** The provider cannot be reached, refuses, or answers something that must not be believed. The message is for people. */
export class ProviderProblem extends Error {
  override name = "ProviderProblem";
}

/** By the name: pages and the server are built apart, and each has a class of its own. */
export function isProviderProblem(error: unknown): error is ProviderProblem {
  return error instanceof Error && error.name === "ProviderProblem";
}
