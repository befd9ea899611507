import { expect, test } from "vitest";
import { readNamedUser } from "./read-named-user.server.ts";

test.each([
  ["id", " 42 ", "42"],
  ["email", "ann@example.com", "ann@example.com"],
  ["address", "203.0.113.7", "203.0.113.7"],
  ["address", "2001:db8::7", "2001:db8::7"],
])("%s %j names a user", (field, text, value) => {
  expect(readNamedUser(field, text)).toEqual({ ok: true, user: { field, value } });
});

test.each([
  ["name", "ann", "field"],
  ["id", "  ", "value"],
  ["id", "x".repeat(191), "value"],
  ["email", "ann", "value"],
  ["email", "ann@example.com, bob@example.com", "value"],
  ["address", "203.0.113.7:80", "value"],
  ["address", "203.0.113.0/24", "value"],
])("%s %j is refused", (field, text, refused) => {
  expect(readNamedUser(field, text)).toMatchObject({ ok: false, field: refused });
});
