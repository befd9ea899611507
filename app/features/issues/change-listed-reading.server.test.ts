import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, NOON, occurrence, scopeOf } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeListedReading } from "./change-listed-reading.server.ts";
import { parseIssueFilters } from "./issue-filters.ts";
import { findFilter } from "./list-issues.server.ts";

const HERE = scopeOf(1);
type Fields = Array<[string, string]>;
let folder: string;
let state: State;
let issueIds: number[];
let reader: { id: number; name: string; email: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-issues-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
  const made = await apply(
    state,
    [0, 1, 2].map((index) => occurrence(index, `h${index}`)),
  );
  issueIds = made.map(({ issueId }) => issueId);
  await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: null,
    at: NOON,
  });
  reader = { id: (await state.people.getOwner())?.id ?? 0, name: "Ada", email: "ada@example.com" };
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const as = (who: typeof reader | null) => testWorkspace({ state, scope: HERE, user: who as never });
const post = (...fields: Fields) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return changeListedReading(as(reader), { form, filters: parseIssueFilters(new URLSearchParams()), now: NOON });
};
const putBack = (answer: Awaited<ReturnType<typeof post>>) =>
  post(["intent", "undo"], ["previous", ("undo" in answer && answer.undo) || ""]);
const named = (ids: readonly number[]) => ids.map((id): [string, string] => ["issue", String(id)]);
const readers = async () => {
  const found = await state.comments.listReaders(HERE, reader.id, issueIds);
  return issueIds.map((id) => found.get(id));
};

test("snoozes for the reader: the issues leave their lists, come back when the time is over, and with an undo", async () => {
  const found = async (q: string, who: typeof reader | null = reader) => {
    const filters = parseIssueFilters(new URLSearchParams({ q }));
    const filter = await findFilter(as(who), { filters, now: NOON });
    if (!filter.ok) throw new Error(filter.message);
    const { scope, query } = filter.filter;
    const page = await state.issues.listIssues(scope, { ...query, sort: "first_seen", cursor: null, limit: 25 });
    return page.issues.map(({ id }) => id).sort();
  };
  const [first = 0, second = 0, third = 0] = issueIds;
  const answer = await post(["intent", "snooze-1h"], ...named([first, second]));
  expect(answer).toMatchObject({ ok: true, kind: "snoozed", count: 2, until: NOON + HOUR_MS });
  expect(await found("is:unresolved")).toEqual([third]);
  expect(await found("")).toEqual([third]);
  expect(await found("is:snoozed")).toEqual([first, second]);
  expect(await found("!is:snoozed is:unresolved")).toEqual([third]);
  expect(await found("is:unresolved", null), "nobody else").toEqual(issueIds);
  const issues = await state.issues.getIssues(HERE, issueIds);
  expect(issues.map(({ status }) => status)).toEqual(["unresolved", "unresolved", "unresolved"]);
  expect(await putBack(answer)).toEqual({ ok: true, kind: "undo", count: 2 });
  expect(await found("is:unresolved")).toEqual(issueIds);
  const past: Fields = [["snoozeUntil", new Date(NOON - 1).toISOString()]];
  expect(await post(["intent", "snooze-until"], ...past, ...named([first]))).toEqual({
    ok: false,
    message: "snoozeUntil: Must be in the future.",
  });
});

test("subscribes and bookmarks for the reader alone, and an undo brings back what was, a refusal too", async () => {
  const read = async () => (await readers()).map((each) => [each?.subscription, each?.isUnsubscribed]);
  const all = named(issueIds);
  const [first = 0] = issueIds;
  await state.comments.changeReader(HERE, { issueIds: [first], userId: reader.id, at: NOON, isSubscribed: false });
  const before = await read();
  const answer = await post(["intent", "subscribe"], ...all);
  expect(answer).toMatchObject({ ok: true, message: "Subscribed to 3 issues." });
  expect(await read()).toEqual([...Array(3)].map(() => ["chosen", false]));
  expect(await putBack(answer)).toEqual({ ok: true, kind: "undo", count: 3 });
  expect((await read())[0]).toEqual(before[0]);
  expect((await read())[1]).toEqual([null, false]);
  expect(await post(["intent", "bookmark"], ["scope", "all-matching"])).toMatchObject({
    message: "3 issues bookmarked.",
  });
  expect(await post(["intent", "bookmark"], ...all)).toMatchObject({
    message: "Nothing changed: it is so already.",
    undo: null,
  });
});

test("marks as seen, and an undo brings back when it was looked at", async () => {
  const [first = 0] = issueIds;
  const looks = async () => (await readers()).map((each) => each?.seenAt ?? null);
  await state.comments.changeReader(HERE, { issueIds: [first], userId: reader.id, at: NOON - 9, hasSeen: true });
  const seen = await post(["intent", "seen"], ...named(issueIds));
  expect(seen).toMatchObject({ message: "2 issues marked as seen." });
  const unseen = await post(["intent", "unseen"], ...named(issueIds));
  expect(unseen).toMatchObject({ message: "3 issues marked as not seen." });
  expect(await looks()).toEqual([null, null, null]);
  for (const answer of [unseen, seen]) await putBack(answer);
  expect((await looks()).map((at) => at !== null)).toEqual([true, false, false]);
});

test("changes nothing for all: other intents, and what puts back statuses, are refused", async () => {
  for (const intent of ["resolve", "archive", "assign:me", "delete", "toString"])
    expect(await post(["intent", intent], ...named(issueIds))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^intent: Must be/),
    });
  const undo = await post(["intent", "undo"], ["previous", `${issueIds[0]}:resolved:`]);
  expect(undo).toEqual({ ok: false, message: "There is nothing to undo." });
});

test("refuses a form that names no issue, too many issues, or an id that cannot be", async () => {
  const refusals = [[], Array(201).fill(1), [0], [1.5]].map(named);
  for (const issues of refusals) expect(await post(["intent", "seen"], ...issues)).toMatchObject({ ok: false });
  expect(await readers()).toEqual([undefined, undefined, undefined]);
});
