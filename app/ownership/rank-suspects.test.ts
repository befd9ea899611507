import { expect, test } from "vitest";
import { toSearchedPath } from "./find-suspects.ts";
import { rankSuspects } from "./rank-suspects.ts";

function found(id: string, path: string, at: number, change: "A" | "M" | "D" = "M") {
  const files = [{ path, change }];
  return {
    id,
    repository: "acme/shop",
    authorName: null,
    authorEmail: null,
    at,
    message: id,
    files,
    path,
    askedPath: path,
  };
}

test("those nearer to the crash come first, and of one file the newest", () => {
  const commits = [found("outer", "b.ts", 9), found("new", "a.ts", 5), found("old", "a.ts", 3)];
  expect(rankSuspects(commits, ["a.ts", "b.ts"]).map(({ id }) => id)).toEqual(["new", "old", "outer"]);
});

test("a commit is there once, with the file nearest to the crash", () => {
  const commits = [found("both", "b.ts", 5), found("both", "a.ts", 5)];
  expect(rankSuspects(commits, ["a.ts", "b.ts"])).toMatchObject([{ id: "both", path: "a.ts" }]);
});

test("what deleted the file is no suspect, and no more than five are named", () => {
  expect(rankSuspects([found("gone", "a.ts", 5, "D")], ["a.ts"])).toEqual([]);
  const many = Array.from({ length: 9 }, (_, index) => found(`c${index}`, "a.ts", index));
  expect(rankSuspects(many, ["a.ts"])).toHaveLength(5);
});

test.each([
  ["webpack:///./src/a.ts?4f2e", "/./src/a.ts"],
  ["https://shop.example/src/a.js", "/src/a.js"],
  ["C:\\app\\src\\a.ts", "/app/src/a.ts"],
  ["src/a.ts", "src/a.ts"],
])("%s is looked for as %s", (path, searched) => {
  expect(toSearchedPath(path)).toBe(searched);
});
