import { describe, expect, test } from "vitest";
import { parseIssueFilters } from "./issue-filters.ts";
import { parseNewSince, toIssueNews } from "./issue-news.ts";
import type { IssueListItem, IssueListView } from "./list-issues.server.ts";

const READ_AT = 1_000_000;

/** An issue; only its times matter here. */
const issue = (id: number, firstSeenAt: number, lastSeenAt = firstSeenAt) =>
  ({ id, firstSeenAt, lastSeenAt }) as IssueListItem;
const view = (issues: IssueListItem[], newest: IssueListItem[] = []) =>
  ({ issues, newest, readAt: READ_AT }) as unknown as IssueListView;

const SHOWN = view([issue(1, 10, 900_000), issue(2, 20, 800_000)]);
const say = (fresh: IssueListView | null, search = "", arrivedIds: number[] = []) =>
  toIssueNews(SHOWN, fresh, {
    filters: parseIssueFilters(new URLSearchParams(search)),
    arrivedIds: new Set(arrivedIds),
  });

describe("what is new in the list", () => {
  test("nothing is said while nothing else would be shown", () => {
    expect(say(null)).toBeNull();
    expect(say(view([issue(1, 10, 1_500_000), issue(2, 20, 1_600_000)]))).toBeNull();
  });

  test("new issues, and known ones that come up to the first page", () => {
    const young = issue(3, 1_100_000);
    expect(say(view([young, issue(4, 5, 1_200_000), issue(1, 10, 900_000)], [young]))).toEqual({
      words: "1 new issue, 1 more issue has new events",
      action: "Show",
      to: "/issues",
    });
  });

  test("an issue that is shown already is not new, though its clock is ahead", () => {
    const ahead = issue(1, 1_900_000);
    expect(say(view([ahead], [ahead]))).toBeNull();
  });

  test("an issue is new when the feed said so, though its clock is behind", () => {
    const late = issue(3, 990_000);
    expect(say(view([], [late]))).toBeNull();
    expect(say(view([], [late]), "", [3])?.words).toBe("1 new issue");
  });

  test("on a later page only new issues count, and lead to the first page", () => {
    const young = [issue(3, 1_100_000), issue(4, 1_200_000)];
    expect(say(view([issue(5, 5, 1_300_000)], young), "project=web&cursor=last_seen.after.1.1")).toEqual({
      words: "2 new issues",
      action: "First page",
      to: "/issues?project=web",
    });
    expect(say(view([issue(5, 5, 1_300_000)]), "cursor=last_seen.after.1.1")).toBeNull();
  });

  test("in an order of numbers they lead to where they are on top", () => {
    const young = issue(3, 1_100_000);
    const news = { words: "1 new issue", action: "Newest first", to: "/issues?sort=first_seen" };
    expect(say(view([], [young]), "sort=events")).toEqual(news);
    expect(say(view([], [young]), "sort=users&cursor=users.after.1.1")).toEqual(news);
    expect(say(view([issue(6, 5, 1_300_000)]), "sort=events")).toMatchObject({
      words: "1 more issue has new events",
      to: "/issues?sort=events",
    });
  });

  test("in the order of age, what happens again moves nothing", () => {
    expect(say(view([issue(6, 5, 1_300_000)]), "sort=first_seen")).toBeNull();
  });

  test("a hundred are as many as are counted", () => {
    const many = Array.from({ length: 100 }, (_, index) => issue(10 + index, 1_100_000));
    expect(say(view([], many))?.words).toBe("100 or more new issues");
  });
});

describe("the address that asks for what is new", () => {
  test("says since when", () => {
    expect(parseNewSince(new URLSearchParams("since=12"))).toBe(12);
  });

  test.each(["", "since=", "since=-1", "since=1e9", "since=9999999999999999"])("is not %j", (search) => {
    expect(parseNewSince(new URLSearchParams(search))).toBeNull();
  });
});
