import { expect, test } from "vitest";
import { parseFeedbackFilters, toFeedbackPath } from "./feedback-filters.ts";

const parse = (query: string) => parseFeedbackFilters(new URLSearchParams(query));

test("an address says what is chosen, and nothing else", () => {
  expect(toFeedbackPath(parse(""))).toBe("/feedback");
  const filters = parse("project=web&environment=staging&tab=spam&q=cart&before=12");
  expect(filters).toMatchObject({ projectSlugs: ["web"], tab: "spam", search: "cart", before: 12 });
  expect(toFeedbackPath(filters, { open: 7 })).toBe(
    "/feedback/7?project=web&environment=staging&tab=spam&q=cart&before=12",
  );
  expect(toFeedbackPath(filters, { tab: "unresolved" })).toBe("/feedback?project=web&environment=staging&q=cart");
});

test("what is not known becomes the default", () => {
  expect(parse("tab=constructor&before=0&before=x")).toMatchObject({ tab: "unresolved", before: null });
  expect(parse("before=1e9").before).toBeNull();
});
