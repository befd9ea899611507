import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { listSignalValues } from "./list-signal-values.server.ts";

test("the count of a key with values that are not counted is a lower bound", async () => {
  const events = {
    listAttributeKeys: async () => ["order.id", "plan"].map((key) => ({ key, count: 60 })),
    listCutKeys: async () => ["order.id"],
  };
  const workspace = testWorkspace({ state: {} as State, scope: EVERYTHING, events });
  const asked = { signal: "logs", key: null, text: "", slugs: [], now: 0 } as const;
  expect((await listSignalValues(workspace, asked)).values).toEqual([
    { value: "order.id", counted: { count: 60, of: "lines", isAtLeast: true } },
    { value: "plan", counted: { count: 60, of: "lines" } },
  ]);
});

test.each([
  ["keys", null, 199, true],
  ["keys", null, 200, false],
  ["values", "plan", 999, true],
  ["values", "plan", 1_000, false],
] as const)(
  "if as many %s as are listed at most are there, there may be others (%s, %i)",
  async (_, key, count, isAll) => {
    const named = Array.from({ length: count }, (_, index) => `x${index}`);
    const events = {
      listAttributeKeys: async () => named.map((name) => ({ key: name, count: 1 })),
      listCutKeys: async () => [],
      listAttributeValues: async () => named.map((value) => ({ value, count: 1 })),
    };
    const workspace = testWorkspace({ state: {} as State, scope: EVERYTHING, events });
    const asked = { signal: "logs", key, text: "x198", slugs: [], now: 0 } as const;
    expect(await listSignalValues(workspace, asked)).toMatchObject({ values: [{ value: "x198" }], isAll });
  },
);

test("services that spans and lines name stand before the projects that stand for the others", async () => {
  const events = { listAttributeValues: async () => [{ value: "worker", count: 3 }] };
  const projects = [
    { id: 1, slug: "web" },
    { id: 2, slug: "worker" },
    { id: 3, slug: "other" },
  ];
  const state = { projects: { listProjects: async () => projects } } as unknown as State;
  const workspace = testWorkspace({ state, scope: EVERYTHING, events });
  const asked = { signal: "logs", key: "service", text: "w", slugs: [], now: 0 } as const;
  expect(await listSignalValues(workspace, asked)).toEqual({
    values: [
      { value: "worker", counted: { count: 3, of: "lines" } },
      { value: "web", counted: null },
    ],
    isAll: true,
  });
});

test("values of one choice are counted together, by the word that pages show", async () => {
  const counts = { error: 9, warn: 5, warning: 6 };
  const events = {
    listAttributeValues: async () => Object.entries(counts).map(([value, count]) => ({ value, count })),
  };
  const workspace = testWorkspace({ state: {} as State, scope: EVERYTHING, events });
  const asked = { signal: "logs", key: "severity", text: "", slugs: [], now: 0 } as const;
  expect((await listSignalValues(workspace, asked)).values).toMatchObject([
    { value: "warning", counted: { count: 11 } },
    { value: "error", counted: { count: 9 } },
  ]);
});
