import { expect, test } from "vitest";
import { openRenewalToken, sealRenewalToken } from "./renewal-token.ts";

const OWN = "a".repeat(43);

test("what a provider gave is read with the token of its session alone", () => {
  const sealed = sealRenewalToken("a refresh token", OWN) ?? "";
  expect(sealed).not.toContain("refresh");
  expect(sealRenewalToken("a refresh token", OWN)).not.toBe(sealed);
  expect(openRenewalToken(sealed, OWN)).toBe("a refresh token");
  expect(openRenewalToken(sealed, "b".repeat(43))).toBeNull();
  expect(openRenewalToken(`${sealed.slice(0, -4)}AAAA`, OWN)).toBeNull();
});

test("none stays none, and one of before is read as it is", () => {
  expect([sealRenewalToken(null, OWN), openRenewalToken(null, OWN)]).toEqual([null, null]);
  expect(openRenewalToken("a token of before", OWN)).toBe("a token of before");
});
