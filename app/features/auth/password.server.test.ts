import { describe, expect, test } from "vitest";
import { DECOY_HASH, hashPasswordSync, verifyPasswordSync } from "./password.server.ts";

describe("passwords", () => {
  test("the right password is accepted and another is not", () => {
    const hash = hashPasswordSync("correct horse battery");
    expect(verifyPasswordSync("correct horse battery", hash)).toBe(true);
    expect(verifyPasswordSync("correct horse batterz", hash)).toBe(false);
  });

  test("the same password never hashes to the same text", () => {
    expect(hashPasswordSync("correct horse battery")).not.toBe(hashPasswordSync("correct horse battery"));
  });

  test("a composed and a decomposed character are the same password", () => {
    expect(verifyPasswordSync("passwo\u0308rd-1", hashPasswordSync("passw\u00f6rd-1"))).toBe(true);
  });

  test("a text that is no hash refuses every password", () => {
    expect(verifyPasswordSync("", "")).toBe(false);
    expect(verifyPasswordSync("x", "bcrypt$1$2$3$4$5")).toBe(false);
  });

  test("a hash of an earlier release is still read", () => {
    const hash = "scrypt$32768$8$3$AAAAAAAAAAAAAAAAAAAAAA$hTRIH5MumZNWPmeRdrYwCeZXWAnxXglsXk1-WyBXTXY";
    expect(verifyPasswordSync("correct horse battery", hash)).toBe(true);
    expect(verifyPasswordSync("correct horse batterz", hash)).toBe(false);
  });

  test("the decoy has the form and the cost of a real hash, and no password", () => {
    const shape = (hash: string) => hash.split("$").map((part, index) => (index < 4 ? part : part.length));
    expect(shape(DECOY_HASH)).toEqual(shape(hashPasswordSync("correct horse battery")));
    expect(verifyPasswordSync("", DECOY_HASH)).toBe(false);
  });
});
