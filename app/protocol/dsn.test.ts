import { describe, expect, test } from "vitest";
import { isPublicKey, parseDsn, parseProjectId, toEnvelopeUrl } from "./dsn.ts";

const KEY = "9ec79c33ec9942ab8353589fcb2e04dc";

describe("parseDsn", () => {
  test("reads every part", () => {
    expect(parseDsn(`https://${KEY}:secret@errors.example.com:8443/below/here/42`)).toEqual({
      scheme: "https",
      publicKey: KEY,
      host: "errors.example.com",
      port: 8443,
      path: "/below/here",
      projectId: 42,
    });
  });

  test("takes IPv6 hosts, a missing port and a trailing slash", () => {
    expect(parseDsn(`http://${KEY}@[::1]/7/`)).toMatchObject({ host: "[::1]", port: null, path: "", projectId: 7 });
  });

  test.each([
    ["another scheme", `ftp://${KEY}@host/1`],
    ["no key", "https://host/1"],
    ["a key with other characters", "https://a-b@host/1"],
    ["a project that is a name", `https://${KEY}@host/frontend`],
    ["no project", `https://${KEY}@host/`],
    ["no URL", "not a dsn"],
    ["not even text", 17],
    ["text without end", `https://${KEY}@host/${"1/".repeat(2000)}1`],
  ])("refuses %s", (_, text) => {
    expect(parseDsn(text)).toBeNull();
  });

  test("says where envelopes go, without the secret", () => {
    const dsn = parseDsn(`https://${KEY}:secret@errors.example.com:8443/below/42`);
    expect(dsn && toEnvelopeUrl(dsn)).toBe(
      `https://errors.example.com:8443/below/api/42/envelope/?sentry_key=${KEY}&sentry_version=7`,
    );
  });
});

describe("parseProjectId", () => {
  test("takes digits only, and no project is zero", () => {
    expect(parseProjectId("1")).toBe(1);
    expect(parseProjectId("999999999999999")).toBe(999_999_999_999_999);
    expect(parseProjectId("1000000000000000")).toBeNull();
    expect(parseProjectId("0")).toBeNull();
    expect(parseProjectId("")).toBeNull();
    expect(parseProjectId("1a")).toBeNull();
    expect(parseProjectId("-1")).toBeNull();
  });
});

describe("isPublicKey", () => {
  test("takes what the JavaScript SDK takes, up to 128 characters", () => {
    expect(isPublicKey("aZ_09")).toBe(true);
    expect(isPublicKey("a".repeat(128))).toBe(true);
    expect(isPublicKey("a".repeat(129))).toBe(false);
    expect(isPublicKey("")).toBe(false);
    expect(isPublicKey("a b")).toBe(false);
    expect(isPublicKey("schlüssel")).toBe(false);
  });
});
