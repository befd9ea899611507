import { describe, expect, test } from "vitest";
import { parseIssueSearch } from "./issue-search.ts";

describe("the issue search", () => {
  test("an empty search asks for nothing", () => {
    expect(parseIssueSearch("  ")).toEqual({ filter: {}, problems: [] });
  });

  test("statuses, levels and free words are told apart", () => {
    expect(parseIssueSearch("is:unresolved level:error level:Fatal is:regressed is:unhandled checkout failed")).toEqual(
      {
        filter: {
          statuses: ["unresolved"],
          substatuses: ["regressed"],
          levels: ["error", "fatal"],
          isUnhandled: true,
          text: ["checkout", "failed"],
        },
        problems: [],
      },
    );
  });

  test("quotes keep words together, and keep a colon from being a key", () => {
    expect(parseIssueSearch('"is:resolved by hand" "x is not a function"').filter).toEqual({
      text: ["is:resolved by hand", "x is not a function"],
    });
  });

  test("a word with a colon that is no key is text", () => {
    expect(parseIssueSearch("TypeError: https://a.example/x").filter).toEqual({
      text: ["TypeError:", "https://a.example/x"],
    });
  });

  test("Sentry's older word for archived is understood", () => {
    expect(parseIssueSearch("is:ignored").filter).toEqual({ statuses: ["archived"] });
  });

  test("a value that is not known is explained, not dropped", () => {
    const { filter, problems } = parseIssueSearch("is:constructor level:loud");
    expect(filter).toEqual({});
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("is:constructor");
    expect(problems[1]).toContain("level:loud");
  });
});
