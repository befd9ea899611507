import { expect, test } from "vitest";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { confirmPassword } from "./confirm-password.server.ts";

const viewer = { id: 1, email: "ada@example.com" } as User;
const { signal } = new AbortController();

test("a password that is changed while it is compared confirms nothing any more", async () => {
  let passwordHash = "the first";
  const people = { findCredentials: async () => ({ userId: 1, passwordHash }) } as unknown as PeopleStore;
  let change = () => {};
  const passwords: PasswordHasher = {
    findBusy: () => null,
    hash: async (password) => ({ ok: true, hash: password }),
    async verify(password, hash) {
      change();
      return { ok: true, isRight: password === hash };
    },
  };
  const confirm = () => confirmPassword({ people, passwords }, { viewer, password: "the first", signal });
  expect(await confirm()).toEqual({ ok: true, passwordHash: "the first" });
  change = () => {
    passwordHash = "the second";
  };
  expect(await confirm()).toEqual({ ok: false, reason: "wrong" });
});
