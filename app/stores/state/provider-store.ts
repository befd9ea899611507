import type {
  ConnectedProvider,
  Provider,
  ProviderClientSettings,
  ProviderPerson,
} from "../../domain/people/provider.ts";
import type { ProviderGrant, ProviderRule } from "../../domain/people/provider-rules.ts";
import type { ProviderLimits, ProviderStanding } from "../../domain/people/provider-session.ts";
import type { ProviderRefusal } from "../../domain/people/provider-sign-in.ts";
import type { Scope } from "../../domain/scope.ts";

/** More than fit on the sign-in page. */
export const MAX_PROVIDERS = 10;

export type NewProvider = Pick<
  ProviderClientSettings,
  "kind" | "name" | "issuer" | "clientId" | "clientSecret" | "scopes"
>;

/** Providers as owners see them: without their secrets. */
export interface ProviderStore {
  /** The providers in the order in which they were added. */
  listProviders(scope: Scope): Promise<Provider[]>;
  getProvider(scope: Scope, providerId: number): Promise<Provider | null>;
  /** Creates a provider, which is off at first. Null: there are `MAX_PROVIDERS`. */
  createProvider(scope: Scope, provider: NewProvider & { at: number }): Promise<Provider | null>;
  /** Changes the given fields. Turning a provider off ends its sessions. Null: there is none, or `onlyIf` no longer holds. */
  changeProvider(
    scope: Scope,
    change: {
      providerId: number;
      name?: string;
      issuer?: string;
      clientId?: string;
      clientSecret?: string;
      scopes?: string;
      rules?: readonly ProviderRule[];
      isEnabled?: boolean;
      onlyIf?: Pick<Provider, "issuer" | "rules">;
    },
  ): Promise<Provider | null>;
  /** Deletes a provider, and ends the sessions that began there. Its users stay members. Returns whether there was one. */
  deleteProvider(scope: Scope, providerId: number): Promise<boolean>;
  isProviderRequired(scope: Scope): Promise<boolean>;
  /** Whether only owners may sign in with a password. Sessions of others that began with one end. */
  requireProvider(scope: Scope, change: { isRequired: boolean; at: number }): Promise<void>;
  getProviderLimits(scope: Scope): Promise<ProviderLimits>;
  saveProviderLimits(scope: Scope, limits: ProviderLimits): Promise<void>;
}

export type ProviderSignInResult = { ok: true; userId: number } | { ok: false; reason: ProviderRefusal };

/** `taken`: somebody else is connected with it. `managed`: another account there made the user's, which claims decide about. */
export type ConnectResult = "connected" | "taken" | "managed";

/** The providers for people who sign in. */
export interface ProviderSignInStore {
  /** The providers that are turned on, and whether only owners may give a password. */
  listOffered(): Promise<{ providers: Array<Pick<Provider, "id" | "name" | "kind">>; isRequired: boolean }>;
  findProvider(providerId: number): Promise<ProviderClientSettings | null>;
  /** Signs somebody in as `decideProviderSignIn` says, with all changes that it makes. */
  signInByProvider(signIn: {
    providerId: number;
    person: Omit<ProviderPerson, "claims">;
    grant: ProviderGrant | null;
    /** For a new account: a hash that belongs to no password. */
    passwordHash: string;
    at: number;
  }): Promise<ProviderSignInResult>;
  /** Connects the account of somebody who is signed in. */
  connectProvider(connect: { providerId: number; subject: string; userId: number; at: number }): Promise<ConnectResult>;
  /** The user's subject at the provider. Null: they are not connected. */
  findSubject(identity: { providerId: number; userId: number }): Promise<string | null>;
  /** Null: no member. */
  getStanding(userId: number): Promise<ProviderStanding | null>;
  /** The connected providers by name. */
  listConnected(userId: number): Promise<ConnectedProvider[]>;
  disconnectProvider(disconnect: { providerId: number; userId: number }): Promise<boolean>;
}
