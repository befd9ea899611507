import { expect, test } from "vitest";
import { applyRules, type ProviderRule, readClaim } from "./provider-rules.ts";

const CLAIMS = {
  sub: "1",
  groups: ["dev", "ops"],
  department: "sales",
  realm_access: { roles: ["admin"] },
  "https://acme.example/groups": ["leads"],
  email_verified: true,
  level: 3,
  nothing: null,
};

test("a claim is a text, a list, a number, nested, or has dots in its name", () => {
  expect(readClaim(CLAIMS, "groups")).toEqual(["dev", "ops"]);
  expect(readClaim(CLAIMS, "department")).toEqual(["sales"]);
  expect(readClaim(CLAIMS, "realm_access.roles")).toEqual(["admin"]);
  expect(readClaim(CLAIMS, "https://acme.example/groups")).toEqual(["leads"]);
  expect([readClaim(CLAIMS, "email_verified"), readClaim(CLAIMS, "level")]).toEqual([["true"], ["3"]]);
  for (const none of ["nothing", "realm_access", "realm_access.roles.0.x", "toString", "groups.length", ""])
    expect(readClaim(CLAIMS, none)).toEqual([]);
});

test("matching rules add up: the highest role, and all teams", () => {
  const rules: ProviderRule[] = [
    { claim: "groups", value: "dev", role: "member", teamIds: [3, 1] },
    { claim: "groups", value: "nobody", role: "owner", teamIds: [9] },
    { claim: "realm_access.roles", value: "admin", role: "admin", teamIds: [1, 2] },
  ];
  expect(applyRules(rules, CLAIMS)).toEqual({ matches: [0, 2], grant: { role: "admin", teamIds: [1, 2, 3] } });
});

test("without a match there is no access, and any value is enough only where a rule says so", () => {
  const rule: ProviderRule = { claim: "groups", value: "de", role: "viewer", teamIds: [] };
  expect(applyRules([], CLAIMS)).toEqual({ matches: [], grant: null });
  expect(applyRules([rule], CLAIMS).grant).toBeNull();
  expect(applyRules([{ ...rule, value: "*" }], CLAIMS).grant).toEqual({ role: "viewer", teamIds: [] });
  expect(applyRules([{ ...rule, claim: "missing", value: "*" }], CLAIMS).grant).toBeNull();
});
