import { describe, expect, test } from "vitest";
import { cleanReleaseVersion, compareSemver, parseReleaseVersion } from "./release-version.ts";

function compare(a: string, b: string): number {
  const [first, second] = [parseReleaseVersion(a).semver, parseReleaseVersion(b).semver];
  if (first === null || second === null) throw new Error(`${a} or ${b} is no version`);
  return compareSemver(first, second);
}

describe("the name of a release", () => {
  test("is trimmed", () => {
    expect(cleanReleaseVersion("  web@1.0 ")).toBe("web@1.0");
    expect(cleanReleaseVersion("a".repeat(200))).toHaveLength(200);
    expect(cleanReleaseVersion("a\\b")).toBe("a\\b");
  });

  test.each([
    ["empty", " "],
    ["too long", "a".repeat(201)],
    ["with a slash", "a/b"],
    ["with a line break", "a\nb"],
    ["with a tab", "a\tb"],
    ["with a NUL", "a\0b"],
    ["reserved", "Latest"],
    ["a dot", "."],
    ["two dots", ".."],
  ])("is not a version when it is %s", (_what, text) => {
    expect(cleanReleaseVersion(text)).toBeNull();
  });
});

describe("parsing", () => {
  test("tells package, numbers, prerelease and build apart", () => {
    expect(parseReleaseVersion("web@1.2.3-rc.1+612")).toEqual({
      package: "web",
      shortVersion: "1.2.3-rc.1+612",
      semver: { major: "1", minor: "2", patch: "3", revision: "0", prerelease: ["rc", "1"], build: "612" },
    });
    expect(parseReleaseVersion("1.02.3.4beta2")).toEqual({
      package: null,
      shortVersion: "1.02.3.4beta2",
      semver: { major: "1", minor: "2", patch: "3", revision: "4", prerelease: ["beta2"], build: null },
    });
  });

  test("splits at the first @ that is not at the start", () => {
    expect(parseReleaseVersion("@scope@1.0").package).toBe("@scope");
    expect(parseReleaseVersion("@1.0").package).toBeNull();
    expect(parseReleaseVersion("a@b@1.0")).toMatchObject({ package: "a", shortVersion: "b@1.0", semver: null });
  });

  test("knows hashes of commits, and cuts them", () => {
    const hash = "4f2e".repeat(10);
    expect(parseReleaseVersion(`web@${hash}`)).toEqual({
      package: "web",
      shortVersion: hash.slice(0, 12),
      semver: null,
    });
    expect(parseReleaseVersion("123456789012").semver).toBeNull();
  });

  test.each(["a word", "main", "1234567", "20260520", "12ab345", "1.", "1..2", "1.2.3.4.5", "1.2-", "", "v"])(
    "%s has no place in an order of versions",
    (release) => {
      expect(parseReleaseVersion(release).semver).toBeNull();
    },
  );

  test.each(["612", "v1.2", "2026.05.20", "web@7", "1.0+abc"])("%s has one", (release) => {
    expect(parseReleaseVersion(release).semver).not.toBeNull();
  });
});

describe("order", () => {
  test("is that of the numbers, then of the prerelease, then of the build", () => {
    const ascending = [
      "1.0.0-1",
      "1.0.0-2",
      "1.0.0-11",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc",
      "1.0.0-rc1",
      "1.0.0",
      "1.0.0+9",
      "1.0.0+10",
      "1.0.0.1",
      "1.0.2",
      "1.0.10",
      "1.2",
      "2",
      "10.0",
      `1${"0".repeat(30)}.0`,
    ];
    for (let index = 1; index < ascending.length; index++) {
      expect([ascending[index - 1], compare(ascending[index - 1] ?? "", ascending[index] ?? "")]).toEqual([
        ascending[index - 1],
        -1,
      ]);
      expect(compare(ascending[index] ?? "", ascending[index - 1] ?? "")).toBe(1);
    }
  });

  test("does not know which of two builds that are no numbers is the newer", () => {
    expect(compare("1.0+abc", "1.0+def")).toBe(0);
    expect(compare("1", "1.0.0")).toBe(0);
    expect(compare("v1.2", "1.2")).toBe(0);
  });
});
