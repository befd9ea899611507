import { expect, test } from "vitest";
import type { Resolution } from "../../domain/release.ts";
import { parseResolution, serializeResolution } from "./resolution-text.ts";
import { explainResolution, sayResolution } from "./resolution-words.ts";

const RESOLUTIONS: Array<[Resolution | null, string]> = [
  [null, ""],
  [{ kind: "release", version: "web@1.4.0, the:one" }, "in web@1.4.0, the:one"],
  [{ kind: "next_release", after: null }, "in the first release"],
  [{ kind: "next_release", after: "web@1.3.0" }, "in the next release after web@1.3.0"],
  [{ kind: "commit", commitId: "4f2e".repeat(10), repository: "acme/shop" }, "by commit 4f2e4f2e4f2e of acme/shop"],
  [{ kind: "commit", commitId: "4f2e", repository: "" }, "by commit 4f2e"],
];

test.each(RESOLUTIONS)("%j survives the way through a form, and is said in words", (resolution, words) => {
  const text = serializeResolution(resolution);
  expect(text).not.toMatch(/[:,]/);
  expect(parseResolution(text)).toEqual(resolution);
  expect(sayResolution(resolution)).toBe(words);
  expect(explainResolution(resolution)).toMatch(/\.$/);
});

test("a commit's hash is cut short where it names a release", () => {
  expect(sayResolution({ kind: "release", version: `web@${"ab".repeat(20)}` })).toBe("in web@abababababab");
});

test.each(["x", "r", "r/", "r/a%2Fb", "r/latest", "n/a/b", "c/abc", "c/a%20b/r", "c//r", "r/%E0%A4%A", "c/abc/r/x"])(
  "%j is refused",
  (text) => {
    expect(parseResolution(text)).toBeUndefined();
  },
);
