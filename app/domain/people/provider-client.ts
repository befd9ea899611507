import type { ProviderClientSettings, ProviderPerson } from "./provider.ts";

/** The secrets that tie a provider's answer to the browser that asked. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** The code verifier of PKCE. */
  verifier: string;
}

/** Asks providers who somebody is. */
export interface ProviderClient {
  /**
   * The address to which the browser goes. `isSilent`: the provider must answer at once, without asking the person anything.
   * @throws {ProviderProblem}
   */
  begin(
    provider: ProviderClientSettings,
    options: { redirectUri: string; isSilent: boolean; secrets: SignInSecrets },
  ): Promise<URL>;
  /** `answer`: the address with which the browser came back. @throws {ProviderProblem} */
  finish(
    provider: ProviderClientSettings,
    options: { answer: URL; redirectUri: string; secrets: SignInSecrets },
  ): Promise<FoundPerson>;
  /**
   * Asks again whether somebody has an account there, without the browser. `person` null: the provider confirms the account and says
   * nothing new of it. @throws {ProviderProblem} with `isRefusal` when the provider says no.
   */
  renew(
    provider: ProviderClientSettings,
    options: { renewalToken: string; subject: string },
  ): Promise<{ person: ProviderPerson | null; renewalToken: string | null }>;
}

export interface FoundPerson {
  person: ProviderPerson;
  /** The token for `renew`. Null: the provider gives none. */
  renewalToken: string | null;
}

/** Characters. Longer tokens of providers are not kept: the browser goes there instead. */
export const MAX_RENEWAL_TOKEN = 2_000;

/** The provider cannot be reached, refuses, or answers something that must not be believed. The message is for people. */
export class ProviderProblem extends Error {
  override name = "ProviderProblem";
  /** Whether the provider says no, in contrast to saying nothing. */
  readonly isRefusal: boolean;
  /** Whether the message names addresses or settings of the server: it is for owners. */
  readonly isInternal: boolean;

  constructor(
    message: string,
    { isRefusal = false, isInternal = false }: { isRefusal?: boolean; isInternal?: boolean } = {},
  ) {
    super(message);
    this.isRefusal = isRefusal;
    this.isInternal = isInternal;
  }
}

/** The message for people who are not signed in. */
export function toStrangersMessage({ message, isInternal }: ProviderProblem): string {
  return isInternal
    ? "The provider cannot be asked right now. Tell an owner: the test sign-in on Settings says why."
    : message;
}

/** Compares the name, not the class: pages and the server are built apart, and each has its own class. */
export function isProviderProblem(error: unknown): error is ProviderProblem {
  return error instanceof Error && error.name === "ProviderProblem";
}
