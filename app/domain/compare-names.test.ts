import { expect, test } from "vitest";
import { compareNames } from "./compare-names.ts";

test("names are sorted as people count", () => {
  const names = ["Rule 10", "rule 2", "Rule 1", "shop", "Älter", "Rule 02b", "API", "Rule 9999999999999999999999"];
  expect(names.sort(compareNames)).toEqual([
    ...["Älter", "API", "Rule 1", "rule 2", "Rule 02b", "Rule 10", "Rule 9999999999999999999999", "shop"],
  ]);
});
