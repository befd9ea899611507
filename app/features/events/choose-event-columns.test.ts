import { expect, test } from "vitest";
import type { TagDistribution } from "../../stores/events/error-events.ts";
import { chooseEventColumns } from "./choose-event-columns.ts";

function tag(key: string, ...counts: number[]): TagDistribution {
  return {
    key,
    total: counts.reduce((sum, count) => sum + count, 0),
    distinctCount: counts.length,
    values: counts.map((count, index) => ({ value: `${key} ${index}`, count, firstSeenAt: 0, lastSeenAt: 0 })),
  };
}

test("what differs is a column, what is the same stands above", () => {
  expect(
    chooseEventColumns([tag("plan", 5, 5), tag("handled", 10), tag("release", 9, 1), tag("environment", 10)], 10),
  ).toEqual({
    differing: ["release", "plan"],
    alike: [
      ["handled", "handled 0"],
      ["environment", "environment 0"],
    ],
  });
});

test("a tag that only some events carry differs", () => {
  expect(chooseEventColumns([tag("plan", 4)], 10)).toEqual({ differing: ["plan"], alike: [] });
});

test("the tags that tell groups apart go first, a number of each event last, and there are few", () => {
  const each = Array.from({ length: 10 }, () => 1);
  const tags = [
    tag("request", ...each),
    tag("even", 5, 5),
    tag("rare", 9, 1),
    tag("three", 4, 3, 3),
    tag("a", 8, 2),
    tag("b", 7, 3),
  ];
  expect(chooseEventColumns(tags, 10).differing).toEqual(["three", "even", "b", "a", "rare"]);
});

test("keys that another one contains, the user, the level and a second place of the code are left out", () => {
  const differing = (...keys: string[]) =>
    chooseEventColumns(
      keys.map((key) => tag(key, 5, 5)),
      10,
    ).differing;
  expect(differing("browser", "browser.name", "os.name", "user", "level")).toEqual(["browser", "os.name"]);
  expect(differing("url", "transaction")).toEqual(["transaction"]);
  expect(chooseEventColumns([tag("transaction", 10), tag("url", 5, 5)], 10).differing).toEqual(["url"]);
});

test("without events there is nothing to tell", () => {
  expect(chooseEventColumns([], 0)).toEqual({ differing: [], alike: [] });
});
