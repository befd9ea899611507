import { expect, test } from "vitest";
import { findFixedShortIds } from "./fixed-issues.ts";

test.each<[string, string[]]>([
  ["Fixes SHOP-A", ["SHOP-A"]],
  ["fix total\n\nfixes: shop-4f2.", ["shop-4f2"]],
  ["fix: SHOP-1", ["SHOP-1"]],
  ["Round up (closes SHOP-1, SHOP-2 and my-app_x-3; SHOP-4)", ["SHOP-1", "SHOP-2", "my-app_x-3", "SHOP-4"]],
  ["Resolved #SHOP-1\nfixed SHOP-1", ["SHOP-1"]],
  ["closed SHOP-1, and SHOP-2", ["SHOP-1", "SHOP-2"]],
  ["resolve SHOP-1 SHOP-2 in WEB-3", ["SHOP-1", "SHOP-2"]],
  ["SHOP-1", []],
  ["prefixes SHOP-1, refs SHOP-2", []],
  ["fixes the total of SHOP-1", []],
  ["fixes-SHOP-1 fixes SHOP fixes SHOP- fixes -1", []],
  ['Revert "Fixes SHOP-1"', []],
  ["", []],
])("the message %j fixes %j", (message, shortIds) => {
  expect(findFixedShortIds(message)).toEqual(shortIds);
});

test("a message names at most twenty, and a hostile one is read in linear time", () => {
  const names = Array.from({ length: 30 }, (_, index) => `SHOP-${index}`);
  expect(findFixedShortIds(`fixes ${names.join(", ")}`)).toHaveLength(20);
  for (const part of ["fixes ", "a-", "fixes a-", " ", "-", "fix:\n", "fixes a-1,"])
    expect(findFixedShortIds(part.repeat(200_000 / part.length)).length).toBeLessThanOrEqual(20);
});
