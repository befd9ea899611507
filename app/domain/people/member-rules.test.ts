import { expect, test } from "vitest";
import { type KnownMember, refuseGrants, refuseRemoval, refuseReturn, refuseRole } from "./member-rules.ts";

const OWNER = { userId: 1, role: "owner" } as const;
const MANAGER = { userId: 2, role: "manager" } as const;
const member = (change: Partial<KnownMember> = {}): KnownMember => ({
  userId: 7,
  role: "member",
  isRemoved: false,
  ownerCount: 1,
  ...change,
});

test("the last owner neither steps down nor goes, and may when there is another", () => {
  const last = member({ userId: 1, role: "owner" });
  expect(refuseRole(OWNER, last, "manager")).toBe("last-owner");
  expect(refuseRemoval(OWNER, last)).toBe("last-owner");
  expect(refuseRole(OWNER, { ...last, ownerCount: 2 }, "manager")).toBeNull();
  expect(refuseRemoval(OWNER, { ...last, ownerCount: 2 })).toBeNull();
});

test("only an owner makes, changes or removes an owner; an organization's token does not", () => {
  const owner = member({ role: "owner", ownerCount: 2 });
  for (const actor of [MANAGER, null]) {
    expect(refuseRole(actor, member(), "owner")).toBe("owner-only");
    expect(refuseRole(actor, owner, "viewer")).toBe("owner-only");
    expect(refuseRemoval(actor, owner)).toBe("owner-only");
    expect(refuseReturn(actor, { ...owner, isRemoved: true })).toBe("owner-only");
    expect(refuseGrants(actor, owner)).toBe("owner-only");
  }
  expect(refuseRole(OWNER, member(), "owner")).toBeNull();
});

test("nobody but an owner changes their own role, and anybody may leave", () => {
  const self = member({ userId: 2, role: "manager" });
  expect(refuseRole(MANAGER, self, "admin")).toBe("own-role");
  expect(refuseRole(MANAGER, self, "manager")).toBeNull();
  expect(refuseRemoval(MANAGER, self)).toBeNull();
  expect(refuseRole(MANAGER, member(), "viewer")).toBeNull();
});
