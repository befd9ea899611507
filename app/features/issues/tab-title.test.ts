import { expect, test } from "vitest";
import { toTabTitle } from "./tab-title.ts";

test("each page of an issue has a title of its own", () => {
  const issue = { shortId: "SHOP-1", title: "TypeError: x" };
  const titles = ["", "/events", "/tags", "/similar", "/split", "/share", "/compare", `/events/${"ab".repeat(16)}`].map(
    (below) => toTabTitle(issue, `/issues/7${below}`),
  );
  expect(titles).toEqual([
    "SHOP-1 TypeError: x",
    "Events of SHOP-1 TypeError: x",
    "Tags of SHOP-1 TypeError: x",
    "Similar to SHOP-1 TypeError: x",
    "Split SHOP-1 TypeError: x",
    "Share SHOP-1 TypeError: x",
    "Two events of SHOP-1 TypeError: x",
    "Event abababab of SHOP-1 TypeError: x",
  ]);
  expect(toTabTitle(issue, "/issues/SHOP-1/events/first")).toBe("SHOP-1 TypeError: x");
});
