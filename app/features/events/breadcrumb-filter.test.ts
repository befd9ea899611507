import { describe, expect, test } from "vitest";
import type { Breadcrumb } from "../../domain/event.ts";
import { ALL_CRUMBS, filterCrumbs, listCrumbKinds } from "./breadcrumb-filter.ts";

const CRUMBS: Breadcrumb[] = [
  { type: "default", category: "console", level: "info", message: "Cart loaded" },
  { type: "http", category: "fetch", level: "info", data: { method: "POST", url: "/api/Orders", status_code: 500 } },
  { type: "default", category: "ui.click", level: "info", message: "button#pay" },
  { type: "default", category: "query", level: "warning", message: "SELECT * FROM orders" },
  { type: "default", category: "auth", level: "fatal", message: "token expired" },
];

const found = (filter: Partial<typeof ALL_CRUMBS>) =>
  filterCrumbs(CRUMBS, { ...ALL_CRUMBS, ...filter }).map((crumb) => CRUMBS.indexOf(crumb));

describe("breadcrumbs", () => {
  test("are all there until something is asked for", () => {
    expect(found({})).toEqual([0, 1, 2, 3, 4]);
    expect(found({ text: "  " })).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([
    ["orders", [1, 3]],
    ["POST orders", [1]],
    ["500", [1]],
    ["UI.click", [2]],
    ["fatal", [4]],
    ["nowhere", []],
  ])("are found by words in any of their parts: %s", (text, expected) => {
    expect(found({ text })).toEqual(expected);
  });

  test("are chosen by kind, or by being loud", () => {
    expect(found({ selection: "http" })).toEqual([1]);
    expect(found({ selection: "other" })).toEqual([4]);
    expect(found({ selection: "loud" })).toEqual([3, 4]);
    expect(found({ selection: "loud", text: "token" })).toEqual([4]);
  });

  test("offer the kinds that they are of", () => {
    expect(listCrumbKinds(CRUMBS)).toEqual(["http", "user", "console", "query", "other"]);
  });
});
