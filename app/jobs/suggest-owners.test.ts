import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestState } from "../stores/sqlite/sqlite-state-database.ts";
import { apply, createProject, EVERYTHING, JOURNAL, NOON, occurrence } from "../stores/state/contract/fixture.ts";
import type { State } from "../stores/state/state.ts";
import { createSuggestOwnersJob } from "./suggest-owners.ts";

let folder: string;
let state: State;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-suggest-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

test("looks at issues once their events are stored, at a bounded number in a run, and then rests", async () => {
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await state.people.setUp({ organization: { slug: "o", name: "O" }, owner, project: null, at: NOON });
  const projectId = await createProject(state, "web");
  const made = await apply(
    state,
    Array.from({ length: 130 }, (_, at) => occurrence(at, `h${at}`, { projectId })),
  );
  const [first = 0] = made.map(({ issueId }) => issueId);
  await state.rules.saveRules(EVERYTHING, projectId, "ownership", { text: "path:src/* #shop", isAssigning: false });
  const userId = (await state.people.getOwner())?.id ?? 0;
  await state.comments.addComment(EVERYTHING, { issueId: first, text: "Mine", mentions: [], userId, at: NOON });
  let stored = 0;
  let readCount = 0;
  const job = createSuggestOwnersJob({
    state,
    events: {
      appliedSequence: async () => stored,
      listEvents: async () => {
        readCount++;
        return { events: [], nextCursor: null, previousCursor: null };
      },
    },
    payloads: { readEvent: async () => null },
    journals: [{ id: JOURNAL, firstSequence: 0 }],
    now: () => NOON,
  });
  const run = () => job.run(new AbortController().signal);
  expect([await run(), readCount]).toEqual(["idle", 0]);
  stored = await state.batches.appliedSequence(JOURNAL);
  expect([await run(), readCount]).toEqual(["worked", 100]);
  const found = await state.suggestions.listSuggestions(EVERYTHING, [first]);
  expect(found.get(first)).toMatchObject([{ assignee: { id: userId }, reasons: [{ kind: "comment" }] }]);
  expect([await run(), readCount]).toEqual(["worked", 130]);
  expect([await run(), readCount]).toEqual(["idle", 130]);
});

test("reads no event of a project whose events can name nobody", async () => {
  const projectId = await createProject(state, "web");
  await apply(state, [occurrence(0, "a", { projectId })]);
  let readCount = 0;
  const job = createSuggestOwnersJob({
    state,
    events: {
      appliedSequence: () => state.batches.appliedSequence(JOURNAL),
      listEvents: async () => {
        readCount++;
        return { events: [], nextCursor: null, previousCursor: null };
      },
    },
    payloads: { readEvent: async () => null },
    journals: [{ id: JOURNAL, firstSequence: 0 }],
    now: () => NOON,
  });
  const run = () => job.run(new AbortController().signal);
  expect([await run(), readCount]).toEqual(["worked", 0]);
  await state.rules.saveRules(EVERYTHING, projectId, "ownership", { text: "path:src/* #shop", isAssigning: false });
  expect([await run(), readCount]).toEqual(["worked", 1]);
});
