import { expect, test } from "vitest";
import { readComparisonChoice, toComparePath } from "./comparison-choice.ts";
import { toComparisonMarkdown } from "./comparison-markdown.ts";
import type { ComparedEvent } from "./get-comparison.server.ts";

const [A, B] = ["a".repeat(32), "b".repeat(32)];
const choose = (search: string) => readComparisonChoice(new URLSearchParams(search));

test("an address names two events, a list ticks them, and anything else is a sentence", () => {
  expect(choose(`left=${A}&right=${B.toUpperCase()}`)).toEqual({ kind: "two", left: A, right: B });
  expect(choose(`event=${A}&event=${B}&period=7d`)).toEqual({ kind: "ticked", events: [A, B] });
  for (const search of ["", `left=${A}`, `event=${A}`, `event=${A}&event=${B}&event=${A}`])
    expect(choose(search)).toEqual({ kind: "wrong", message: "Choose exactly two events to compare." });
  expect(choose(`left=${A}&right=nonsense`)).toMatchObject({ kind: "wrong", message: expect.stringContaining("32") });
});

test("filters go along to a comparison, the place in a list does not", () => {
  const search = new URLSearchParams(`cursor=x&event=${A}&with=${A}&q=y&period=7d`);
  expect(toComparePath(7, { left: A, right: B }, search)).toBe(`/issues/7/compare?period=7d&left=${A}&right=${B}`);
});

test("what differs as Markdown: values, what one event alone has, what is the same, and what is lost", () => {
  const event = (eventId: string, details: ComparedEvent["details"]): ComparedEvent => ({
    eventId,
    title: "Error",
    occurredAt: 0,
    user: null,
    details,
  });
  const value = { name: "plan*", left: "pro", right: null, isSame: false };
  const text = toComparisonMarkdown(
    {
      left: event(A, "whole"),
      right: event(B, "damaged"),
      sections: [
        { id: "tags", title: "Tags", noun: null, groups: [{ title: null, side: "both", values: [value] }] },
        {
          id: "stack",
          title: "Stack trace",
          noun: "frame",
          groups: [{ title: "a.ts in f", side: "left", values: [] }],
        },
        { id: "user", title: "User", noun: null, groups: [] },
      ],
    },
    { title: "Error_x", links: { left: "https://c/a", right: "https://c/b" } },
  );
  expect(text.split("\n")).toEqual([
    "# Two events of Error\\_x",
    "",
    "- **A**: <https://c/a> `1970-01-01T00:00:00.000Z`",
    "- **B**: <https://c/b> `1970-01-01T00:00:00.000Z` The details of this event are damaged. Only its facts are compared.",
    "",
    "2 values differ, 0 are the same.",
    "",
    "## Tags",
    "",
    "- **plan\\***: A `pro`, B not there",
    "",
    "## Stack trace",
    "",
    "- `a.ts in f` only in A",
    "",
    "## User",
    "",
    "The same in both.",
    "",
  ]);
});
