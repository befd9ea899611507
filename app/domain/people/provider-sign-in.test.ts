import { expect, test } from "vitest";
import { decideProviderSignIn, type KnownIdentity } from "./provider-sign-in.ts";

const GRANT = { role: "admin", teamIds: [2, 3] } as const;
const grant = { ...GRANT, teamIds: [...GRANT.teamIds] };
const stranger: KnownIdentity = {
  identity: null,
  member: null,
  byAddress: null,
  email: "a@b.c",
  isEmailVerified: true,
};
const managed: KnownIdentity = {
  ...stranger,
  identity: { userId: 7, isManaged: true, isEnded: false, givenTeamIds: [1, 2] },
  member: { role: "member", isRemoved: false, teamIds: [1, 2, 9], ownerCount: 1 },
};
const with_ = (known: KnownIdentity, member: object, identity: object = {}): KnownIdentity => ({
  ...known,
  identity: known.identity && { ...known.identity, ...identity },
  member: known.member && { ...known.member, ...member },
});
const refused = (reason: string) => ({ kind: "refuse", reason });

test("a stranger gets an account only where claims give access, and an address is there", () => {
  expect(decideProviderSignIn(stranger, grant)).toEqual({ kind: "create", email: "a@b.c" });
  expect(decideProviderSignIn(stranger, null)).toEqual(refused("no-access"));
  expect(decideProviderSignIn({ ...stranger, email: null }, grant)).toEqual(refused("no-address"));
});

test("a member with the address is met only when the provider says that the address is theirs", () => {
  const known = { ...stranger, byAddress: { userId: 4, isRemoved: false, isConnected: false } };
  expect(decideProviderSignIn(known, grant)).toEqual({ kind: "link", userId: 4 });
  expect(decideProviderSignIn({ ...known, isEmailVerified: false }, grant)).toEqual(refused("address-taken"));
  expect(decideProviderSignIn(known, null)).toEqual(refused("no-access"));
  expect(
    decideProviderSignIn({ ...known, byAddress: { userId: 4, isRemoved: true, isConnected: false } }, grant),
  ).toEqual(refused("removed"));
});

test("a member who signs in with another account of the provider is not given to one with the same address", () => {
  const known = { ...stranger, byAddress: { userId: 4, isRemoved: false, isConnected: true } };
  expect(decideProviderSignIn(known, grant)).toEqual(refused("other-identity"));
});

test("claims decide role and teams of whom they made a member; teams that were given by hand stay", () => {
  const update = { kind: "update", userId: 7, role: "admin", teamIds: [2, 3, 9] };
  expect(decideProviderSignIn(managed, grant)).toEqual(update);
  expect(decideProviderSignIn(managed, null)).toEqual({ kind: "end", userId: 7 });
});

test("who was added by hand stays as they are, with or without claims", () => {
  const byHand = with_(managed, {}, { isManaged: false });
  expect(decideProviderSignIn(byHand, grant)).toEqual({ kind: "sign-in", userId: 7 });
  expect(decideProviderSignIn(byHand, null)).toEqual({ kind: "sign-in", userId: 7 });
});

test("claims bring back whom they ended, and nobody who was removed by hand", () => {
  const removed = with_(managed, { isRemoved: true });
  expect(decideProviderSignIn(removed, grant)).toEqual(refused("removed"));
  const ended = with_(removed, {}, { isEnded: true });
  expect(decideProviderSignIn(ended, grant)).toMatchObject({ kind: "update" });
  expect(decideProviderSignIn(ended, null)).toEqual(refused("no-access"));
});

test("the last owner stays an owner, whatever the claims say; one of two does not", () => {
  const last = with_(managed, { role: "owner" });
  expect(decideProviderSignIn(last, grant)).toMatchObject({ kind: "update", role: "owner" });
  expect(decideProviderSignIn(last, null)).toEqual({ kind: "sign-in", userId: 7 });
  const one = with_(last, { ownerCount: 2 });
  expect(decideProviderSignIn(one, grant)).toMatchObject({ role: "admin" });
  expect(decideProviderSignIn(one, null)).toEqual({ kind: "end", userId: 7 });
});
