import { expect, test } from "vitest";
import { API_SCOPES } from "../api-token.ts";
import { type Access, findPaths, listSeenProjects } from "./access.ts";
import { higherRole, narrowRights, ROLE_RIGHTS, ROLES } from "./roles.ts";

const team = { id: 1, slug: "shop", name: "Shop", hasAllProjects: false, projectIds: [2, 3] };
const access = (change: Partial<Access>): Access => ({ role: "member", projectIds: [], teams: [], ...change });

test("a member sees the projects of teams and those that were given, and says by which way", () => {
  const both = access({ teams: [team], projectIds: [3, 4] });
  expect(listSeenProjects(both, [1, 2, 3, 4])).toEqual([2, 3, 4]);
  expect(findPaths(both, 1)).toEqual([]);
  expect(findPaths(both, 3)).toEqual([{ kind: "team", team }, { kind: "given" }]);
  expect(listSeenProjects(access({}), [1])).toEqual([]);
});

test("owners, managers and teams with every project see projects that come later", () => {
  const everybody = { ...team, hasAllProjects: true };
  expect(listSeenProjects(access({ role: "manager" }), [1, 99])).toEqual([1, 99]);
  expect(listSeenProjects(access({ role: "viewer", teams: [everybody] }), [1, 99])).toEqual([1, 99]);
  expect(findPaths(access({ role: "owner", teams: [everybody] }), 99)).toEqual([
    { kind: "role", role: "owner" },
    { kind: "every-project", team: everybody },
  ]);
});

test("each role may do what the one below may, and a token never more than its role", () => {
  const rights = ROLES.map((role) => narrowRights(role, ["org:admin", ...API_SCOPES], API_SCOPES));
  for (const [index, own] of rights.entries())
    expect(own).toEqual(expect.arrayContaining([...(rights[index + 1] ?? [])]));
  expect(rights[0]).toEqual(API_SCOPES);
  expect(narrowRights("viewer", ["event:admin", "org:ci"], API_SCOPES)).toEqual(["event:read"]);
  expect(narrowRights("member", ["org:ci"], API_SCOPES)).toEqual(["org:ci", "project:releases"]);
  expect(ROLE_RIGHTS.viewer).toEqual(["org:read", "project:read", "event:read"]);
  expect(higherRole("viewer", "admin")).toBe("admin");
});
