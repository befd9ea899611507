import { expect, test } from "vitest";
import { readProxyIdentity, toProxyPerson } from "./proxy-identity.ts";

const none = { user: null, email: null, name: null, groups: null };

test("headers name a user, an address, a name and groups; what is not there is null", () => {
  const values = { user: "ada", email: "ada@example.com", name: "Ada L", groups: "dev, ops|dev,, " };
  expect(readProxyIdentity(values)).toEqual({ ...values, groups: ["dev", "ops"] });
  expect(readProxyIdentity({ ...none, user: "ada" })).toEqual({ user: "ada", email: null, name: null, groups: [] });
  // oauth2-proxy's user may be an address.
  expect(readProxyIdentity({ ...none, user: "ada@example.com" })?.email).toBe("ada@example.com");
});

test("without one user there is nobody", () => {
  expect(readProxyIdentity({ ...none, email: "ada@example.com" })).toBeNull();
  for (const user of ["", " ", "ada,eve", "ada, eve", "a".repeat(201)])
    expect(readProxyIdentity({ ...none, user })).toBeNull();
  expect(readProxyIdentity({ ...none, user: "ada", email: "ada@example.com, eve@example.com" })).toBeNull();
});

test("a long list of groups is cut", () => {
  const groups = Array.from({ length: 900 }, (_, at) => `g${at}`).join(",");
  expect(readProxyIdentity({ ...none, user: "ada", groups })?.groups).toHaveLength(500);
});

test("nobody is told what is missing", () => {
  expect(() => toProxyPerson(null)).toThrow("did not say who you are");
  const person = toProxyPerson({ user: "ada", email: null, name: null, groups: ["dev"] });
  expect(person).toMatchObject({ subject: "ada", isEmailVerified: true, claims: { groups: ["dev"] } });
});
