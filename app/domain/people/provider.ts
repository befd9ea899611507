import type { Claims, ProviderRule } from "./provider-rules.ts";

/**
 * `oidc`: any provider of OpenID Connect. `github` speaks OAuth and has an API of its own. `proxy`: the operator's own proxy, which says in
 * headers who somebody is; it has no issuer and no client.
 */
export const PROVIDER_KINDS = ["oidc", "google", "gitlab", "github", "proxy"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export function isProviderKind(word: unknown): word is ProviderKind {
  return PROVIDER_KINDS.some((kind) => kind === word);
}

/** A place where people sign in instead of giving a password here. */
export interface Provider {
  id: number;
  kind: ProviderKind;
  /** On the button of the sign-in page. */
  name: string;
  /** The URL where discovery begins. For GitHub: the address of its pages. Without a trailing slash. */
  issuer: string;
  clientId: string;
  /** Separated by blanks. */
  scopes: string;
  rules: ProviderRule[];
  /** Whether the sign-in page offers it. */
  isEnabled: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** The settings for requests to the provider. Only these have the secret. */
export interface ProviderClientSettings extends Provider {
  clientSecret: string;
}

/** The first values for each kind of provider. `issuer` null: the operator must give it. */
export const PROVIDER_PRESETS: Readonly<Record<ProviderKind, { name: string; issuer: string | null; scopes: string }>> =
  {
    oidc: { name: "OpenID Connect", issuer: null, scopes: "openid profile email groups" },
    google: { name: "Google", issuer: "https://accounts.google.com", scopes: "openid profile email" },
    gitlab: { name: "GitLab", issuer: "https://gitlab.com", scopes: "openid profile email" },
    github: { name: "GitHub", issuer: "https://github.com", scopes: "read:user user:email read:org" },
    proxy: { name: "Proxy", issuer: "", scopes: "" },
  };

/** A person as the provider knows one. */
export interface ProviderPerson {
  /** Never given to somebody else by the provider. */
  subject: string;
  email: string | null;
  /** Whether the provider says that the address is theirs. */
  isEmailVerified: boolean;
  name: string | null;
  claims: Claims;
}

/** A provider that an account is connected with. */
export interface ConnectedProvider {
  providerId: number;
  name: string;
  /** Whether the sign-in there made the account. */
  isManaged: boolean;
  /** Milliseconds since 1970. */
  usedAt: number;
}
