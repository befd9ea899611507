import { expect, test } from "vitest";
import type { User } from "../../domain/event.ts";
import { toUserKey, toUserName } from "./user-key.ts";

const nameOf = (user?: User) => toUserName(user, toUserKey(user));

test("a user is named by e-mail address, name or user name, where the key says less", () => {
  expect(nameOf({ id: "42", email: "lena@example.com", name: "Lena", username: "lena" })).toBe("lena@example.com");
  expect(nameOf({ id: "42", name: "Lena", username: "lena" })).toBe("Lena");
  expect(nameOf({ id: "42", username: "lena" })).toBe("lena");
  expect(nameOf({ email: "lena@example.com", name: "Lena" })).toBe("");
  expect(nameOf({ username: "lena", ip_address: "192.0.2.1" })).toBe("");
  expect(nameOf({ id: "42" })).toBe("");
  expect(nameOf({ name: "Lena" })).toBe("Lena");
  expect(nameOf({})).toBeNull();
  expect(nameOf()).toBeNull();
});

test("a long name is cut, and stays whole text", () => {
  const shown = nameOf({ id: "1", email: `${"x".repeat(199)}😀` });
  expect(shown).toHaveLength(200);
  expect(shown?.isWellFormed()).toBe(true);
});
