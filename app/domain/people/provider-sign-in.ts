import type { ProviderGrant } from "./provider-rules.ts";
import type { Role } from "./roles.ts";

/** The facts about a person who comes from a provider. */
export interface KnownIdentity {
  /** The account that signed in with this identity before. Null: none did. */
  identity: { userId: number; isManaged: boolean; isEnded: boolean; givenTeamIds: readonly number[] } | null;
  /** The member behind the identity. Null: there is no identity. */
  member: { role: Role; isRemoved: boolean; teamIds: readonly number[]; ownerCount: number } | null;
  /**
   * The account with the same e-mail address, and whether it has an identity of this provider. Null: no account ever had the address,
   * or the provider gives none.
   */
  byAddress: { userId: number; isRemoved: boolean; isConnected: boolean } | null;
  email: string | null;
  isEmailVerified: boolean;
}

export type ProviderRefusal = "no-access" | "no-address" | "removed" | "address-taken" | "other-identity";

export type ProviderDecision =
  /** Signs in without a change: claims do not affect a member who was added by hand. */
  | { kind: "sign-in"; userId: number }
  /** Signs in with what the claims give now. */
  | { kind: "update"; userId: number; role: Role; teamIds: number[] }
  /** Connects the identity to the member with the same address, who is not changed. */
  | { kind: "link"; userId: number }
  | { kind: "create"; email: string }
  /** Access is over: the member is removed, until claims give some again. */
  | { kind: "end"; userId: number }
  | { kind: "refuse"; reason: ProviderRefusal };

/**
 * Decides what a sign-in at a provider does.
 * @param grant the rights from the claims; null: none
 */
export function decideProviderSignIn(known: KnownIdentity, grant: ProviderGrant | null): ProviderDecision {
  const { identity, member, byAddress, email, isEmailVerified } = known;
  if (identity && member) return decideKnown(identity, member, grant);
  if (!grant) return { kind: "refuse", reason: "no-access" };
  if (email === null) return { kind: "refuse", reason: "no-address" };
  if (!byAddress) return { kind: "create", email };
  // A person who was removed by hand can only be restored by hand.
  if (byAddress.isRemoved) return { kind: "refuse", reason: "removed" };
  if (!isEmailVerified) return { kind: "refuse", reason: "address-taken" };
  // Addresses are given to somebody else, like those of people who left. An identity is not.
  if (byAddress.isConnected) return { kind: "refuse", reason: "other-identity" };
  return { kind: "link", userId: byAddress.userId };
}

function decideKnown(
  { userId, isManaged, isEnded, givenTeamIds }: NonNullable<KnownIdentity["identity"]>,
  { role, isRemoved, teamIds, ownerCount }: NonNullable<KnownIdentity["member"]>,
  grant: ProviderGrant | null,
): ProviderDecision {
  if (isRemoved && !(isManaged && isEnded)) return { kind: "refuse", reason: "removed" };
  if (!isManaged) return { kind: "sign-in", userId };
  const isLastOwner = role === "owner" && !isRemoved && ownerCount <= 1;
  if (!grant) {
    if (isLastOwner) return { kind: "sign-in", userId };
    return isRemoved ? { kind: "refuse", reason: "no-access" } : { kind: "end", userId };
  }
  const byHand = teamIds.filter((teamId) => !givenTeamIds.includes(teamId));
  return {
    kind: "update",
    userId,
    role: isLastOwner ? "owner" : grant.role,
    teamIds: [...new Set([...byHand, ...grant.teamIds])].sort((a, b) => a - b),
  };
}

export const PROVIDER_REFUSALS: Readonly<Record<ProviderRefusal, string>> = {
  "no-access": "Your account there gives no access here. Ask an owner of the organization.",
  "no-address": "The provider gave no e-mail address. An account here needs one.",
  removed: "You were a member, and were removed. Ask an owner or a manager to add you again.",
  "address-taken":
    "A member has your address, and the provider does not say that it is yours. Sign in with your password, and connect the provider on Settings → Your sign-in.",
  "other-identity":
    "A member has your address, and signs in with another account of the provider. If the member is you, ask an owner to disconnect that account on your page in Settings → Members. Otherwise, ask for another address of the member there.",
};
