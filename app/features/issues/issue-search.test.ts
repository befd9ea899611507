import { describe, expect, test } from "vitest";
import { parseIssueSearch } from "./issue-search.ts";

describe("the issue search", () => {
  test("an empty search asks for nothing", () => {
    expect(parseIssueSearch("  ")).toEqual({
      filter: {},
      projects: { included: [], excluded: [] },
      environments: [],
      events: { anyOfTags: [] },
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
    expect(problems).toEqual(["“!is:new” is understood only together with is:unresolved."]);
  });

  test("an exclusion that would leave nothing over is said", () => {
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
      events: { anyOfTags: [] },
      problems: [],
    });
  });

  test("what cannot be done with a key is said", () => {
    const { environments, problems } = parseIssueSearch("project: !environment:staging");
    expect(environments).toEqual([]);
    expect(problems[0]).toContain("“project:” needs a name");
    expect(problems[1]).toContain("“!environment:staging” is not known");
  });

  test("other keys are tags, and one event must have all of them", () => {
    const read = parseIssueSearch(
      'plan:pro plan:free os.name:"Mac OS X" user:42 user.id:7 url:https://a.example/ checkout',
    );
    expect(read.events.anyOfTags).toEqual([
      { key: "plan", values: ["pro", "free"] },
      { key: "os.name", values: ["Mac OS X"] },
      { key: "user", values: ["id:42", "email:42", "username:42", "ip:42", "id:7"] },
      { key: "url", values: ["https://a.example/"] },
    ]);
    expect(read).toMatchObject({ filter: { text: ["checkout"] }, problems: [] });
  });

  test("a trace is named by its id", () => {
    const id = "0123456789abcdef0123456789ABCDEF";
    expect(parseIssueSearch(`trace:${id}`).events).toEqual({ anyOfTags: [], traceId: id.toLowerCase() });
    expect(parseIssueSearch("trace:1").problems[0]).toContain("32 hexadecimal digits");
  });

  test.each([
    ["OR", "“OR” is not known"],
    ["level:error AND checkout", "“AND” is not known"],
    ["has:user", "“has:” is not known"],
    ["!has:user", "“has:” is not known"],
    ["!TypeError", "“!TypeError” is not known"],
    ["!plan:pro", "“!plan:pro” cannot be left out"],
    ["timesSeen:>100", "sort by events or users"],
    ["firstSeen:-24h", "choose the range"],
    ["user.email:a@b.c", "user:"],
    ["error.type:TypeError", "without a key"],
    ["plan:p*", "“plan:p*” is not known"],
    ["size:>10", "“size:>10” is not known"],
    ["plan:[a,b]", "“plan:[a,b]” is not known"],
  ])("%s is refused and not read as words", (search, sentence) => {
    const { filter, events, problems } = parseIssueSearch(search);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
    expect(filter.text ?? []).not.toContain(search);
    expect(events.anyOfTags).toEqual([]);
  });

  test("signs of other languages within quotes, and colons and marks of messages, are text", () => {
    const search = '"OR" "!TypeError" "plan:p*" std::panic TypeError: http://a.example wow! a !== b C:\\x 12:30';
    expect(parseIssueSearch(search)).toMatchObject({
      filter: {
        text: [
          "OR",
          "!TypeError",
          "plan:p*",
          "std::panic",
          "TypeError:",
          "http://a.example",
          "wow!",
          "a",
          "!==",
          "b",
          "C:\\x",
          "12:30",
        ],
      },
      events: { anyOfTags: [] },
      problems: [],
    });
  });

  test("a value in quotes is the tag's, whatever signs it has", () => {
    expect(parseIssueSearch('plan:"p*"').events.anyOfTags).toEqual([{ key: "plan", values: ["p*"] }]);
  });
});
