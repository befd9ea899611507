import { describe, expect, test } from "vitest";
import {
  isNarrowed,
  parseIssueFilters,
  toIssueListPath,
  toPastedText,
  toTrendRange,
  toViewLabel,
  withView,
  withWord,
} from "./issue-filters.ts";

const parse = (search: string) => parseIssueFilters(new URLSearchParams(search));

describe("the filters of the issue list", () => {
  test("without any, what is unresolved and happened in the last 14 days is shown, the latest first", () => {
    expect(parse("")).toEqual({
      projectSlugs: [],
      environments: [],
      range: "14d",
      search: "is:unresolved",
      sort: "last_seen",
      trend: "14d",
      cursor: null,
    });
  });

  test("an id is pasted into an empty field, or behind the search of the default view", () => {
    expect(["WEB-3", "is:unresolved WEB-3", "is:unresolved", "level:error WEB-3"].map(toPastedText)).toEqual([
      "WEB-3",
      " WEB-3",
      "is:unresolved",
      "level:error WEB-3",
    ]);
  });

  test("an empty search asks for every status", () => {
    expect(parse("q=").search).toBe("");
  });

  test("what is not known becomes the default", () => {
    expect(parse("range=5y&sort=colour&trend=1s&project=&environment=")).toEqual(parse(""));
  });

  test("a path and its filters say the same", () => {
    const filters = parse("project=web&project=api&environment=staging&range=24h&q=boom&sort=users&trend=24h");
    const path = toIssueListPath(filters);
    expect(parse(path.slice(path.indexOf("?")))).toEqual(filters);
  });

  test("defaults are left out of the path", () => {
    expect(toIssueListPath(parse("range=14d&sort=last_seen&q=is:unresolved"))).toBe("/issues");
  });

  test("a change goes back to the first page, unless it is the page that changes", () => {
    const filters = parse("cursor=abc");
    expect(toIssueListPath(filters, { sort: "events" })).toBe("/issues?sort=events");
    expect(toIssueListPath(filters, { cursor: "def" })).toBe("/issues?cursor=def");
  });

  test("sorting does not narrow the list, searching does", () => {
    expect(isNarrowed(parse("sort=users&trend=24h"))).toBe(false);
    expect(isNarrowed(parse("q="))).toBe(true);
    expect(isNarrowed(parse("environment=production"))).toBe(true);
  });

  test("a trend ends with the hour that runs and has whole buckets", () => {
    const now = Date.UTC(2026, 4, 20, 12, 34);
    const { from, to, bucketMs } = toTrendRange("24h", now);
    expect(to).toBe(Date.UTC(2026, 4, 20, 13));
    expect((to - from) / bucketMs).toBe(24);
    const wide = toTrendRange("14d", now);
    expect((wide.to - wide.from) / wide.bucketMs).toBe(28);
  });
});

describe("the views", () => {
  test("a view replaces the words of status, and keeps the others", () => {
    expect(withView("is:unresolved level:error is:new checkout", ["resolved"])).toBe(
      "is:resolved level:error checkout",
    );
    expect(withView("is:unresolved", [])).toBe("");
    expect(withView("!is:archived checkout", ["resolved"])).toBe("is:resolved checkout");
  });

  test("a word is added once, and one of status takes the place of another", () => {
    expect(withWord("is:unresolved checkout", "is:unhandled")).toBe("is:unresolved checkout is:unhandled");
    expect(withWord("is:unresolved is:unhandled", "is:resolved")).toBe("is:unhandled is:resolved");
    expect(withWord("level:fatal", "level:fatal")).toBe("level:fatal");
  });

  test("the view is known by its words of status, in any order", () => {
    expect(toViewLabel("is:unhandled is:unresolved level:error")).toBe("Unhandled");
    expect(toViewLabel("checkout")).toBe("All");
    expect(toViewLabel("is:archived is:new")).toBeNull();
    expect(toViewLabel("!is:unresolved")).toBeNull();
  });
});
