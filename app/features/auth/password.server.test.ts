import { describe, expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.server.ts";

describe("passwords", () => {
  test("the right password is accepted and another is not", async () => {
    const hash = await hashPassword("correct horse battery");
    expect(await verifyPassword("correct horse battery", hash)).toBe(true);
    expect(await verifyPassword("correct horse batterz", hash)).toBe(false);
  });

  test("the same password never hashes to the same text", async () => {
    expect(await hashPassword("correct horse battery")).not.toBe(await hashPassword("correct horse battery"));
  });

  test("a composed and a decomposed character are the same password", async () => {
    expect(await verifyPassword("passwo\u0308rd-1", await hashPassword("passw\u00f6rd-1"))).toBe(true);
  });

  test("a text that is no hash refuses every password", async () => {
    expect(await verifyPassword("", "")).toBe(false);
    expect(await verifyPassword("x", "bcrypt$1$2$3$4$5")).toBe(false);
  });
});
