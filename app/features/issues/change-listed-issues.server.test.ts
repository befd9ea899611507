import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, NOON, occurrence, scopeOf } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeListedIssues } from "./change-listed-issues.server.ts";
import { parseIssueFilters } from "./issue-filters.ts";

const HERE = scopeOf(1);
type Fields = Array<[string, string]>;
let folder: string;
let state: State;
/** Ids of two issues of level error and one of level info. */
let issueIds: number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-issues-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
  const levels = ["error", "error", "info"] as const;
  const made = await apply(
    state,
    levels.map((level, index) => occurrence(index, `h${index}`, { level })),
  );
  issueIds = made.map(({ issueId }) => issueId);
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const change = (fields: Fields, search = "") => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const filters = parseIssueFilters(new URLSearchParams(search));
  return changeListedIssues(testWorkspace({ state, scope: HERE }), { form, filters, now: NOON });
};
const statuses = async () => (await state.issues.getIssues(HERE, issueIds)).map(({ status }) => status);

describe("changing issues from the list", () => {
  test("resolves the named ones, and an undo brings them back as they were", async () => {
    const named = issueIds.slice(1).map((id): [string, string] => ["issue", String(id)]);
    const answer = await change([["intent", "resolve"], ...named]);
    expect(answer).toMatchObject({ ok: true, kind: "status", status: "resolved", count: 2 });
    expect(await statuses()).toEqual(["unresolved", "resolved", "resolved"]);
    const previous = (answer.ok && answer.kind === "status" && answer.undo) || "";
    expect(
      await change([
        ["intent", "undo"],
        ["previous", previous],
      ]),
    ).toEqual({ ok: true, kind: "undo", count: 2 });
    expect(await state.issues.getIssues(HERE, issueIds)).toMatchObject(
      issueIds.map(() => ({ status: "unresolved", substatus: "new" })),
    );
  });

  test("changes all that the filters match, and no others", async () => {
    const all: Fields = [
      ["intent", "archive"],
      ["scope", "all-matching"],
    ];
    expect(await change(all, "q=is:unresolved+level:error")).toMatchObject({ ok: true, count: 2 });
    expect(await statuses()).toEqual(["archived", "archived", "unresolved"]);
  });

  test("merges the issues that are named, and never one alone or all that match", async () => {
    const merge: Fields = [["intent", "merge-once"]];
    const named = (ids: readonly number[]) => ids.map((id): [string, string] => ["issue", String(id)]);
    const message = "Select the two or more issues that are to be merged.";
    expect(await change([...merge, ...named(issueIds.slice(0, 1))])).toMatchObject({ ok: false, message });
    expect(await change([...merge, ["scope", "all-matching"]], "q=level:error")).toMatchObject({ ok: false, message });
    expect(await state.issues.getIssues(HERE, issueIds)).toHaveLength(3);
    expect(await change([...merge, ...named(issueIds.slice(0, 2))])).toMatchObject({
      ok: true,
      kind: "merged",
      count: 1,
    });
    expect(await state.issues.getIssues(HERE, issueIds)).toHaveLength(2);
  });

  test("archives until so many more events, which the answer says and an undo takes back", async () => {
    const until: Fields = [
      ["intent", "archive-count"],
      ["count", "50"],
      ["by", "events"],
      ["window", ""],
    ];
    const answer = await change([...until, ["issue", String(issueIds[0])]]);
    expect(answer).toMatchObject({ ok: true, status: "archived", archivedFor: "until 50 more events", count: 1 });
    const [issue] = await state.issues.getIssues(HERE, issueIds);
    expect(issue?.archive?.rule).toEqual({ kind: "events", count: 50, windowMinutes: null });
  });

  test("resolves several by one commit", async () => {
    const named = issueIds.map((id): [string, string] => ["issue", String(id)]);
    expect(await change([["intent", "resolve-in-commit"], ["commit", "no id"], ...named])).toMatchObject({ ok: false });
    const by: Fields = [
      ["commit", "4f2e9a1"],
      ["repository", "acme/shop"],
    ];
    const answer = await change([["intent", "resolve-in-commit"], ...by, ...named]);
    expect(answer).toMatchObject({ ok: true, count: 3, resolvedIn: "by the commit" });
    expect((await state.issues.getIssues(HERE, issueIds)).map(({ resolution }) => resolution)).toEqual(
      issueIds.map(() => ({ kind: "commit", commitId: "4f2e9a1", repository: "acme/shop" })),
    );
  });

  test.each<[name: string, fields: Fields, message: string]>([
    ["a count of nothing", [["intent", "archive-count"]], "by: Must be one of events, users."],
    [
      "a count below one",
      [
        ["intent", "archive-count"],
        ["by", "users"],
        ["count", "0"],
      ],
      "count: Must be a whole number from 1 to",
    ],
    ["no day", [["intent", "archive-until"]], "until: Choose a day and a time."],
    [
      "a day that is over",
      [
        ["intent", "archive-until"],
        ["untilLocal", "2001-01-01T00:00"],
      ],
      "until: Must be in the future.",
    ],
  ])("archives nothing until %s", async (_, fields, message) => {
    const answer = await change([...fields, ["issue", String(issueIds[0])]]);
    expect(answer).toEqual({ ok: false, message: expect.stringContaining(message) });
    expect(await statuses()).toEqual(["unresolved", "unresolved", "unresolved"]);
  });

  test("says that nothing changed, when all were so already", async () => {
    const answer = await change([
      ["intent", "reopen"],
      ["issue", String(issueIds[0])],
    ]);
    expect(answer).toMatchObject({ ok: true, count: 0, undo: null });
  });

  test.each<[Fields]>([
    [[["intent", "explode"]]],
    [[["intent", "toString"]]],
    [[["intent", "resolve"]]],
    [
      [
        ["intent", "resolve"],
        ["issue", "1"],
        ["issue", "1 or 1=1"],
      ],
    ],
    [[["intent", "resolve"], ...Array.from({ length: 201 }, (): [string, string] => ["issue", "1"])]],
    [
      [
        ["intent", "undo"],
        ["previous", "1:resolved:new,1:deleted:new"],
      ],
    ],
    [[["intent", "undo"]]],
  ])("refuses %j with a sentence, and changes nothing", async (fields) => {
    expect(await change(fields, "q=")).toEqual({ ok: false, message: expect.any(String) });
    expect(await statuses()).toEqual(["unresolved", "unresolved", "unresolved"]);
  });
});
