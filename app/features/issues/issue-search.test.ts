import { describe, expect, test } from "vitest";
import { parseIssueSearch } from "./issue-search.ts";

describe("the issue search", () => {
  test("an empty search asks for nothing", () => {
    expect(parseIssueSearch("  ")).toEqual({
      filter: {},
      projects: { included: [], excluded: [] },
      environments: [],
      problems: [],
    });
  });

  test("statuses, levels and free words are told apart", () => {
    expect(
      parseIssueSearch("is:unresolved level:error level:Fatal is:regressed is:unhandled checkout failed"),
    ).toMatchObject({
      filter: {
        statuses: ["unresolved"],
        substatuses: ["regressed"],
        levels: ["error", "fatal"],
        isUnhandled: true,
        text: ["checkout", "failed"],
      },
      problems: [],
    });
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

  test("what is excluded leaves the others over", () => {
    expect(parseIssueSearch("!is:resolved !level:info !level:debug !is:unhandled").filter).toEqual({
      statuses: ["unresolved", "archived"],
      levels: ["warning", "error", "fatal"],
      isUnhandled: false,
    });
    expect(parseIssueSearch("level:error level:fatal !level:error").filter).toEqual({ levels: ["fatal"] });
  });

  test("what happened to an issue can be excluded from what is unresolved, and from nothing else", () => {
    expect(parseIssueSearch("is:unresolved !is:new").filter).toEqual({
      statuses: ["unresolved"],
      substatuses: ["ongoing", "regressed"],
    });
    const { filter, problems } = parseIssueSearch("!is:new");
    expect(filter).toEqual({});
    expect(problems).toEqual(["“!is:new” is used only together with is:unresolved."]);
  });

  test("an exclusion that would leave nothing over is said, and not used", () => {
    const { filter, problems } = parseIssueSearch("level:error !level:error");
    expect(filter).toEqual({ levels: ["error"] });
    expect(problems[0]).toContain("“!level:error”");
  });

  test("projects and environments are keys", () => {
    const search = 'project:web !project:api environment:"eu west" checkout';
    expect(parseIssueSearch(search)).toEqual({
      filter: { text: ["checkout"] },
      projects: { included: ["web"], excluded: ["api"] },
      environments: ["eu west"],
      problems: [],
    });
  });

  test("what cannot be done with a key is said", () => {
    const { environments, problems } = parseIssueSearch("project: !environment:staging");
    expect(environments).toEqual([]);
    expect(problems[0]).toContain("“project:” needs a name");
    expect(problems[1]).toContain("“!environment:staging” is not used");
  });
});
