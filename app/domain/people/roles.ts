import { type ApiScope, allowsScope } from "../api-token.ts";

/** The roles of members. Each role has the rights of the roles after it, and more. */
export const ROLES = ["owner", "manager", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const READ: readonly ApiScope[] = ["org:read", "project:read", "event:read"];
const WORK: readonly ApiScope[] = [...READ, "member:read", "team:read", "event:admin", "project:releases", "org:ci"];
const ADMINISTER: readonly ApiScope[] = [...WORK, "project:admin", "team:write"];
const MANAGE: readonly ApiScope[] = [...ADMINISTER, "org:write", "member:admin", "team:admin", "uptime:check"];

/** What each role may do, in the projects that its person sees. */
export const ROLE_RIGHTS: Readonly<Record<Role, readonly ApiScope[]>> = {
  owner: [...MANAGE, "org:admin"],
  manager: MANAGE,
  admin: ADMINISTER,
  member: WORK,
  viewer: READ,
};

export function isRole(word: unknown): word is Role {
  return ROLES.some((role) => role === word);
}

/** Owners and managers see every project; the others see those of their teams, and those that they were given. */
export function seesEveryProject(role: Role): boolean {
  return role === "owner" || role === "manager";
}

/** The higher of two roles. */
export function higherRole(a: Role, b: Role): Role {
  return ROLES.indexOf(a) <= ROLES.indexOf(b) ? a : b;
}

/** The rights of a token or session: those that both the role and the granted scopes allow. In the order of `all`. */
export function narrowRights(role: Role, granted: readonly ApiScope[], all: readonly ApiScope[]): readonly ApiScope[] {
  const ofRole = ROLE_RIGHTS[role];
  return all.filter((right) => allowsScope(ofRole, [right]) && allowsScope(granted, [right]));
}
