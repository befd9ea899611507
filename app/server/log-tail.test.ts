import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { DigestEventStore } from "../digest/event-store-port.ts";
import type { TailRequest } from "../domain/logs/log-tail.ts";
import type { ScopedProjectIds } from "../domain/scope.ts";
import { ALWAYS } from "../domain/search/condition.ts";
import { log } from "../stores/event-store-contract/span-fixture.ts";
import { NOTHING_AHEAD } from "../stores/events/event-log.ts";
import { LOG_ROWS } from "../stores/events/log-table.ts";
import { toNewRow, toRowsByTable } from "../stores/events/rows.ts";
import { createLogTail, type LogTailThread } from "./log-tail.ts";

const REQUEST: TailRequest = {
  projectIds: [1] as unknown as ScopedProjectIds,
  environments: [],
  where: ALWAYS,
  columns: [],
  slugs: new Map(),
};

const JOURNALS = [
  { id: "a", firstSequence: 0 },
  { id: "b", firstSequence: 100 },
] as const;

let tail: LogTailThread;
afterEach(() => tail.close());

function open(options = {}) {
  let applied = 5;
  tail = createLogTail(
    { journals: JOURNALS, applied: [applied, 100] },
    { error: (facts) => expect(facts).toBeUndefined() },
    options,
  );
  const store: DigestEventStore = {
    appliedSequence: async () => applied,
    appliedAhead: async () => NOTHING_AHEAD,
    findExisting: async () => new Set(),
    append: async ({ upTo }) => {
      applied = Math.max(applied, upTo);
      return { stored: 1, duplicates: 0 };
    },
  };
  const events = tail.watch(store);
  return (...sequences: number[]) =>
    events.append({
      journalId: "a",
      upTo: Math.max(...sequences) + 1,
      rows: toRowsByTable(sequences.map((sequence) => ({ rows: [toNewRow(LOG_ROWS, log(sequence))] }))),
      leftOut: [],
      environments: [],
    });
}

test("readers hear of what is stored from then on, each batch once", async () => {
  const append = open();
  await append(5, 6);
  expect(tail.hasThread()).toBe(false);
  const reader = tail.open(REQUEST, "ada");
  expect(reader?.from).toEqual([7, 100]);
  await append(6, 7);
  // The digest has died, and begins again.
  await append(6, 7);
  await append(8);
  const bodies: string[] = [];
  while (bodies.length < 2) bodies.push(...((await reader?.next())?.lines.map(({ body }) => body) ?? []));
  expect(bodies).toEqual(["line 7", "line 8"]);
  expect(tail.position()).toEqual([9, 100]);
  reader?.close();
  expect(await reader?.next()).toBeNull();
});

test("what the thread cannot take is counted", async () => {
  const append = open({ maxWaitingBytes: 1 });
  const reader = tail.open(REQUEST, "ada");
  await append(7, 8);
  expect(await reader?.next()).toMatchObject({ lines: [], arrived: 0, notRead: 2 });
});

test("there are so many readers and no more, of one person and in all", () => {
  open();
  const own = Array.from({ length: 9 }, () => tail.open(REQUEST, "ada"));
  expect(own.filter((reader) => reader === null)).toHaveLength(1);
  const others = Array.from({ length: 60 }, (_, index) => tail.open(REQUEST, String(index)));
  expect(others.filter((reader) => reader !== null)).toHaveLength(56);
  own[0]?.close();
  expect(tail.open(REQUEST, "ada")).not.toBeNull();
});

test("the thread ends when nobody reads any more, and readers end with the server", async () => {
  open({ idleMs: 1 });
  tail.open(REQUEST, "ada")?.close();
  while (tail.hasThread()) await sleep(5);
  const waiting = tail.open(REQUEST, "ada")?.next();
  await tail.close();
  expect(await waiting).toBeNull();
});
