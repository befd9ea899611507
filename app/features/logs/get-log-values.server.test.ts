import { expect, test } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import { projects } from "../../stores/event-store-contract/fixture.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { LogCountOptions, LogGroup } from "../../stores/events/logs.ts";
import { getLogValues } from "./get-log-values.server.ts";

const FILTER = { projectIds: projects(1), from: 0, to: 1_000 };

/** A workspace whose store answers with the most frequent of these values, and with the numbers among them. */
function openWorkspace(counts: ReadonlyArray<readonly [value: string | null, count: number]>) {
  const asked: LogCountOptions[] = [];
  const toGroup = ([value, count]: readonly [string | null, number]): LogGroup => ({
    group: [value],
    count,
    numbers: [],
  });
  const numbers = counts.flatMap(([value, count]) =>
    value === null || Number.isNaN(Number(value)) ? [] : [[Number(value), count] as const],
  );
  const events = {
    async countLogs(_filter, options) {
      asked.push(options);
      if (options.by.length > 0) return { groups: counts.slice(0, options.limit).map(toGroup), countedFrom: 0 };
      const weight = numbers.reduce((sum, [, count]) => sum + count, 0);
      return {
        groups: [{ group: [], count: 0, numbers: [{ weight, total: 0, min: -1, max: 100.5, values: numbers }] }],
        countedFrom: 500,
      };
    },
  } as Partial<EventStore> as EventStore;
  const state = { projects: { listProjects: async () => [{ id: 7, slug: "shop" }] } };
  const workspace = { events, state, scope: {} } as unknown as Pick<Workspace, "events" | "state" | "scope">;
  return { workspace, asked };
}

test("few values are counted, with the lines that have none", async () => {
  const { workspace, asked } = openWorkspace([
    ["pro", 5],
    [null, 3],
    ["free", 1],
  ]);
  expect(await getLogValues(workspace, FILTER, "plan")).toEqual({
    key: "plan",
    values: [
      { value: "pro", count: 5 },
      { value: "free", count: 1 },
    ],
    hasMore: false,
    without: 3,
    numbers: null,
    countedFrom: 0,
  });
  expect(asked).toMatchObject([{ by: [{ name: "plan", isTag: true }] }]);
});

test("of many texts there are the most frequent, of few numbers each", async () => {
  const texts = openWorkspace(Array.from({ length: 12 }, (_, index) => [`text ${index}`, 1] as const));
  expect(await getLogValues(texts.workspace, FILTER, "plan")).toMatchObject({
    values: Array.from({ length: 10 }, (_, index) => ({ value: `text ${index}` })),
    hasMore: true,
    numbers: null,
  });
  const codes = openWorkspace([200, 404, 500].map((code) => [String(code), 1] as const));
  expect(await getLogValues(codes.workspace, FILTER, "status")).toMatchObject({ hasMore: false, numbers: null });
  // A search cannot compare them.
  const users = openWorkspace(Array.from({ length: 12 }, (_, index) => [String(index), 1] as const));
  expect(await getLogValues(users.workspace, FILTER, "user.id")).toMatchObject({ hasMore: true, numbers: null });
});

test("many numbers are ranges, and are counted for as long as both searches came", async () => {
  const { workspace } = openWorkspace(Array.from({ length: 100 }, (_, index) => [String(index), 2] as const));
  expect(await getLogValues(workspace, FILTER, "size")).toMatchObject({
    hasMore: true,
    numbers: { count: 200, min: -1, median: 49, p95: 94, max: 100.5, ranges: expect.any(Array) },
    countedFrom: 500,
  });
});

test("lines that name no service are counted by the project that stands for it", async () => {
  const { workspace, asked } = openWorkspace([["shop", 2]]);
  const filter = { ...FILTER, projectIds: projects(7, 8) };
  expect(await getLogValues(workspace, filter, "service")).toMatchObject({ values: [{ value: "shop", count: 2 }] });
  const unnamed = new Map([
    [7, "shop"],
    [8, "project 8"],
  ]);
  expect(asked).toMatchObject([{ by: [{ name: "service", isTag: false, unnamed }] }]);
});

test("keys of the search are fields, projects have their names, and what each line has for itself is not counted", async () => {
  const { workspace, asked } = openWorkspace([["7", 2]]);
  expect(await getLogValues(workspace, FILTER, "project")).toMatchObject({ values: [{ value: "shop", count: 2 }] });
  expect(asked).toMatchObject([{ by: [{ name: "projectId", isTag: false }] }]);
  expect([await getLogValues(workspace, FILTER, "id"), await getLogValues(workspace, FILTER, "timestamp")]).toEqual([
    null,
    null,
  ]);
});
