import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../domain/time.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import { readIssuePageFilter } from "./issue-page-filter.ts";
import { toIssuePath, withoutTag, withTag } from "./issue-paths.ts";

const NOW = 1_790_000_000_000;
const ISSUE = { id: 7, projectId: 3, firstSeenAt: NOW - 5 * DAY_MS };
const read = (search: string) => readIssuePageFilter(EVERYTHING, ISSUE, new URLSearchParams(search), NOW);

describe("what an issue's address says about the events that are meant", () => {
  test("is nothing but the issue at first", () => {
    expect(read("").events).toEqual({ projectIds: [3], issueId: 7, from: null, to: null });
  });

  test("is a time, an environment and tags, whose values may hold colons and be empty", () => {
    expect(read("period=1d&environment=staging&tag=url%3Ahttps%3A%2F%2Fa&tag=plan%3A").events).toEqual({
      projectIds: [3],
      issueId: 7,
      from: NOW - DAY_MS,
      to: null,
      environments: ["staging"],
      tags: [
        { key: "url", value: "https://a" },
        { key: "plan", value: "" },
      ],
    });
  });

  test("leaves out values that are not tags, and the eleventh tag", () => {
    expect(read("tag=nonsense&tag=%3Avalue").tags).toEqual([]);
    expect(read(Array.from({ length: 12 }, (_, index) => `tag=k%3A${index}`).join("&")).tags).toHaveLength(10);
  });
});

describe("addresses of an issue", () => {
  const search = new URLSearchParams("environment=staging&stack=full&tag=a%3A1&cursor=abc");

  test("keep what is filtered and how it is drawn, and lose the place in a list", () => {
    expect(toIssuePath(7, "/events", search)).toBe("/issues/7/events?environment=staging&stack=full&tag=a%3A1");
    expect(toIssuePath(7, "", new URLSearchParams("cursor=abc"))).toBe("/issues/7");
  });

  test("get a tag once, and lose that one alone", () => {
    expect(withTag(search, "b", "2").getAll("tag")).toEqual(["a:1", "b:2"]);
    expect(withTag(search, "a", "1").getAll("tag")).toEqual(["a:1"]);
    expect(withoutTag(withTag(search, "a", "2"), "a", "1").getAll("tag")).toEqual(["a:2"]);
  });
});
