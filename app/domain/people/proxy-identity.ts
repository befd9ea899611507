import type { ProviderPerson } from "./provider.ts";
import { ProviderProblem } from "./provider-client.ts";

/** Names of the headers in which a proxy says who somebody is; in small letters. */
export interface ProxyHeaders {
  user: string;
  email: string;
  name: string;
  groups: string;
}

/** The sender of a request, as the operator's proxy names it. */
export interface ProxyIdentity {
  user: string;
  email: string | null;
  name: string | null;
  groups: readonly string[];
}

/** The operator's settings for this. */
export interface ProxySignIn {
  headers: ProxyHeaders;
  /** The URL at which the proxy ends its own session. Null: there is none. */
  signOutUrl: string | null;
}

/** Characters. Accounts of directories are shorter. */
const MAX_USER = 200;
const MAX_TEXT = 300;
const MAX_GROUPS_TEXT = 8_000;
const MAX_GROUPS = 500;

/**
 * The person that the values of the headers name. Null: nobody. An absent value is null. A user or an address with a comma means
 * nobody: on the way, two headers of the same name may have been joined.
 */
export function readProxyIdentity(values: Readonly<Record<keyof ProxyHeaders, string | null>>): ProxyIdentity | null {
  const user = values.user?.trim() ?? "";
  const email = values.email?.trim() || (user.includes("@") ? user : null);
  if (user === "" || user.length > MAX_USER || `${user}${email}`.includes(",")) return null;
  const groups = (values.groups ?? "").slice(0, MAX_GROUPS_TEXT).split(/[,|]/);
  return {
    user,
    email: email?.slice(0, MAX_TEXT) ?? null,
    name: values.name?.trim().slice(0, MAX_TEXT) || null,
    groups: [...new Set(groups.map((group) => group.trim()).filter((group) => group !== ""))].slice(0, MAX_GROUPS),
  };
}

/**
 * The person in the form that providers give. The address counts as verified, because the operator's proxy vouches for it.
 * @throws {ProviderProblem} when the proxy names nobody
 */
export function toProxyPerson(identity: ProxyIdentity | null): ProviderPerson {
  if (identity === null)
    throw new ProviderProblem(
      "The proxy in front of this server did not say who you are. Ask the people who run it: see “Sign-in by a proxy” in docs/operating.md.",
    );
  const { user, email, name, groups } = identity;
  return { subject: user, email, isEmailVerified: true, name, claims: { user, email, name, groups } };
}
