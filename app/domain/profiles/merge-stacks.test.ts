import { expect, test } from "vitest";
import { MAX_CALLS, MAX_ROWS, mergeStacks } from "./merge-stacks.ts";
import { readProfile } from "./read-profile.ts";
import { listThreads, weighSamples } from "./weigh-samples.ts";

const MS = 1_000;

/** Stacks as `main load query`, the outermost function first; `-`: nothing ran. Times are milliseconds. */
function makeProfile(
  samples: ReadonlyArray<[atMs: number, stack: string, thread?: string]>,
  { startSeconds = -1 } = {},
) {
  const names = [...new Set(samples.flatMap(([, stack]) => stack.split(" ")))].filter((name) => name !== "-");
  const isChunk = startSeconds >= 0;
  const result = readProfile({
    platform: "python",
    ...(isChunk && { profiler_id: "a".repeat(32) }),
    transaction: { active_thread_id: "1" },
    profile: {
      frames: names.map((name, line) => ({
        function: name,
        filename: "a.py",
        lineno: line + 1,
        in_app: name !== "lib",
      })),
      stacks: samples.map(([, stack]) =>
        stack === "-"
          ? []
          : stack
              .split(" ")
              .map((name) => names.indexOf(name))
              .reverse(),
      ),
      samples: samples.map(([atMs, , thread = "1"], index) => ({
        ...(isChunk ? { timestamp: startSeconds + atMs / 1_000 } : { elapsed_since_start_ns: String(atMs * 1e6) }),
        thread_id: thread,
        stack_id: index,
      })),
    },
  });
  if (!result.ok) throw new Error(result.reason);
  return result.profile;
}

function merge(samples: Parameters<typeof makeProfile>[0]) {
  return mergeStacks(weighSamples([makeProfile(samples)], { thread: "1", window: null }).stacks);
}

test("stacks are merged over time: the same path is one call, however often it ran", () => {
  const { calls, functions, totalUs, rowCount } = merge([
    [0, "main load query"],
    [10, "main load"],
    [20, "main render"],
    [30, "main load query"],
    [40, "main load query"],
  ]);
  const drawn = calls.map((call) => [functions[call.function]?.name, call.row, call.fromUs, call.totalUs, call.selfUs]);
  expect(drawn).toEqual([
    ["main", 0, 0, 50 * MS, 0],
    ["load", 1, 0, 40 * MS, 10 * MS],
    ["render", 1, 40 * MS, 10 * MS, 10 * MS],
    ["query", 2, 0, 30 * MS, 30 * MS],
  ]);
  expect(calls.map(({ parent }) => parent)).toEqual([null, 0, 0, 1]);
  expect({ totalUs, rowCount }).toEqual({ totalUs: 50 * MS, rowCount: 3 });
});

test("a function that calls itself counts once in its total", () => {
  const { functions, calls } = merge([
    [0, "main walk walk walk"],
    [10, "main walk"],
  ]);
  expect(functions.find(({ name }) => name === "walk")).toMatchObject({
    totalUs: 20 * MS,
    selfUs: 20 * MS,
    samples: 2,
  });
  expect(calls).toHaveLength(4);
});

test("time without a stack is idle, and no call", () => {
  const { idleUs, totalUs, calls } = merge([
    [0, "-"],
    [30, "main"],
    [40, "main"],
  ]);
  expect({ idleUs, totalUs, calls: calls.length }).toEqual({ idleUs: 30 * MS, totalUs: 20 * MS, calls: 1 });
});

test("frames of a function that differ by their line are one function, with the line that took most", () => {
  const frames = [1, 2].map((lineno) => ({ function: "load", filename: "a.py", lineno }));
  const samples = [0, 1, 1].map((stack, index) => ({
    ...{ elapsed_since_start_ns: index * 1e7, thread_id: "1", stack_id: stack },
  }));
  const read = readProfile({ profile: { frames, stacks: [[0], [1]], samples } });
  if (!read.ok) throw new Error(read.reason);
  const { functions } = mergeStacks(weighSamples([read.profile], { thread: "1", window: null }).stacks);
  expect(functions).toEqual([expect.objectContaining({ name: "load", line: 2, totalUs: 30 * MS, samples: 3 })]);
});

test("chunks of a profiler are one graph, and a pause between them is not counted", () => {
  const first = makeProfile(
    [
      [0, "main"],
      [10, "main"],
      [20, "main"],
    ],
    { startSeconds: 1_000 },
  );
  const second = makeProfile(
    [
      [0, "lib main"],
      [10, "main"],
    ],
    { startSeconds: 1_060 },
  );
  const weighed = weighSamples([second, first], { thread: "1", window: null });
  expect(weighed).toMatchObject({ samples: 5, startedUs: 1e9, durationUs: 60_020 * MS, pausedUs: 59_970 * MS });
  const { functions, totalUs } = mergeStacks(weighed.stacks);
  expect(totalUs).toBe(50 * MS);
  expect(functions.map(({ name, totalUs: us }) => [name, us]).sort()).toEqual([
    ["lib", 10 * MS],
    ["main", 50 * MS],
  ]);
  const window = { fromUs: 1_060e6, toUs: 1_061e6 };
  expect(weighSamples([first, second], { thread: "1", window })).toMatchObject({ samples: 2, pausedUs: 0 });
});

test("the thread of the transaction comes first, then those with most code of the project", () => {
  const samples: Parameters<typeof makeProfile>[0] = [
    ...Array.from({ length: 9 }, (_, at): [number, string, string] => [at, "lib", "9"]),
    ...Array.from({ length: 5 }, (_, at): [number, string, string] => [at, "work", "5"]),
    [0, "main", "1"],
  ];
  expect(listThreads([makeProfile(samples)], null).map(({ id, samples: count }) => [id, count])).toEqual([
    ["1", 1],
    ["5", 5],
    ["9", 9],
  ]);
});

test("what a page cannot hold is left out: the shortest calls, and those that are too deep", () => {
  const wide = merge(Array.from({ length: MAX_CALLS + 50 }, (_, at) => [at * 10, `main f${at}`] as [number, string]));
  expect(wide.calls).toHaveLength(MAX_CALLS);
  expect(wide.callsLeftOut).toBe(51);
  expect(wide.functions).toHaveLength(MAX_CALLS + 51);
  const deep = merge([[0, Array.from({ length: MAX_ROWS + 20 }, (_, at) => `f${at}`).join(" ")]]);
  expect(deep.rowCount).toBe(MAX_ROWS);
  expect(deep.callsLeftOut).toBe(1);
  expect(deep.functions.find(({ name }) => name === `f${MAX_ROWS + 19}`)?.selfUs).toBe(10 * MS);
});

test("of a great many different stacks, the shortest are left out, and their time is said", () => {
  const count = 20_000;
  const stacks = Array.from({ length: count }, (_, at) =>
    Array.from({ length: 30 }, (_, depth) => (at * 7 + depth * 13) % count),
  );
  const samples = stacks.map((_, at) => ({ elapsed_since_start_ns: at * at * 1e3, thread_id: "1", stack_id: at }));
  const frames = Array.from({ length: count }, (_, at) => ({ function: `f${at}` }));
  const read = readProfile({ profile: { frames, stacks, samples } });
  if (!read.ok) throw new Error(read.reason);
  const merged = mergeStacks(weighSamples([read.profile], { thread: "1", window: null }).stacks);
  expect(merged.leftOutUs).toBeGreaterThan(0);
  expect(merged.totalUs).toBeGreaterThan(merged.leftOutUs);
  expect(merged.calls).toHaveLength(MAX_CALLS);
});
