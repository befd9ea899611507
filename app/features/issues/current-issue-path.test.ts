import { expect, test } from "vitest";
import { toCurrentIssuePath } from "./current-issue-path.ts";

const issue = { id: 7, shortId: "SHOP-7" };
const at = (path: string) => new URL(path, "http://culprit.example");

test("leads from the number or short id of an issue that ended to the same page of the one that goes on", () => {
  expect(toCurrentIssuePath(issue, "3", at("/issues/3"))).toBe("/issues/7");
  expect(toCurrentIssuePath(issue, "3", at("/issues/3/events/abc?period=24h&stack=full"))).toBe(
    "/issues/7/events/abc?period=24h&stack=full",
  );
  expect(toCurrentIssuePath(issue, "SHOP-3", at("/issues/SHOP-3/events"))).toBe("/issues/7/events");
});

test("leaves the issue's own addresses alone", () => {
  expect(toCurrentIssuePath(issue, "7", at("/issues/7"))).toBeNull();
  expect(toCurrentIssuePath(issue, "shop-7", at("/issues/shop-7"))).toBeNull();
});
