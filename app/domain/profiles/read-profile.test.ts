import { expect, test } from "vitest";
import { MAX_DEPTH, MAX_SAMPLES, readProfile } from "./read-profile.ts";

const FRAMES = [
  { function: "load", filename: "shop/cart.py", module: "shop.cart", lineno: 12, in_app: true },
  { function: "main", abs_path: "/usr/lib/python3.11/runpy.py", in_app: false },
];
const STACKS = [[0, 1], [1]];

function read(body: object, rest: object = {}) {
  const result = readProfile({ version: "1", platform: "python", profile: body, ...rest });
  if (!result.ok) throw new Error(result.reason);
  return result.profile;
}

test("a profile of a transaction, with times as text and a list of transactions", () => {
  const profile = read(
    {
      frames: FRAMES,
      stacks: STACKS,
      samples: [
        { elapsed_since_start_ns: "1000000", thread_id: "7", stack_id: 0 },
        { elapsed_since_start_ns: 2_500_000, thread_id: 7, stack_id: 1 },
      ],
      thread_metadata: { 7: { name: "MainThread" } },
    },
    {
      release: "shop@1",
      environment: "production",
      transactions: [{ id: "a".repeat(32), name: "GET /cart", trace_id: "b".repeat(32), active_thread_id: 7 }],
    },
  );
  expect(profile).toMatchObject({
    ...{ form: "transaction", platform: "python", release: "shop@1", environment: "production", activeThread: "7" },
    transaction: { id: "a".repeat(32), name: "GET /cart", traceId: "b".repeat(32) },
    stacks: STACKS,
    samples: [
      { atUs: 1_000, thread: "7", stack: 0 },
      { atUs: 2_500, thread: "7", stack: 1 },
    ],
    leftOut: { unreadable: 0, beyond: 0, cutStacks: 0 },
  });
  expect(profile.threadNames.get("7")).toBe("MainThread");
  expect(profile.frames).toEqual([
    { name: "load", module: "shop.cart", file: "shop/cart.py", line: 12, isInApp: true },
    { name: "main", module: null, file: "/usr/lib/python3.11/runpy.py", line: null, isInApp: false },
  ]);
});

test("a chunk, whose times are seconds since 1970", () => {
  const samples = [{ timestamp: 1_790_000_000.5, thread_id: "0", stack_id: 1 }];
  const profile = read({ frames: FRAMES, stacks: STACKS, samples }, { version: "2", profiler_id: "c".repeat(32) });
  expect(profile).toMatchObject({ form: "chunk", transaction: null, activeThread: null });
  expect(profile.samples).toEqual([{ atUs: 1_790_000_000_500_000, thread: "0", stack: 1 }]);
});

test("samples that name what is not there, or whose time is none, are left out and counted", () => {
  const good = { elapsed_since_start_ns: 0, thread_id: "1", stack_id: 0 };
  const wrong: unknown[] = [null, 7, [], {}];
  for (const stack of [-1, 3, 2, 0.5, "0", null, 1e300]) wrong.push({ ...good, stack_id: stack });
  for (const time of [Number.NaN, -1, 1e300, "soon", "", null, {}, Number.POSITIVE_INFINITY])
    wrong.push({ ...good, elapsed_since_start_ns: time });
  for (const thread of [null, "", {}, undefined]) wrong.push({ ...good, thread_id: thread });
  const stacks = [[0], [1], [5]];
  const profile = read({ frames: FRAMES, stacks, samples: [...wrong, good] });
  // Stack 1 is there, 2 names a frame that is not.
  expect(profile.samples).toEqual([{ atUs: 0, thread: "1", stack: 0 }]);
  expect(profile.leftOut.unreadable).toBe(wrong.length);
});

test("stacks of anything but indices are none", () => {
  const samples = ["0", 1, -1, {}].map((_, stack) => ({ elapsed_since_start_ns: 0, thread_id: "1", stack_id: stack }));
  const stacks = [["0"], "01", [-1], { length: 1e9 }];
  expect(readProfile({ profile: { frames: FRAMES, stacks, samples } })).toEqual({ ok: false, reason: "unreadable" });
});

test("frames of anything have a name", () => {
  const frames = [
    null,
    3,
    [],
    { function: 7, lineno: "12", in_app: "yes" },
    { instruction_addr: "0x1f", package: "libc.so" },
  ];
  const samples = [{ elapsed_since_start_ns: 0, thread_id: "1", stack_id: 0 }];
  const profile = read({ frames, stacks: [[0, 1, 2, 3, 4]], samples });
  expect(profile.frames.map(({ name, line }) => [name, line])).toEqual([
    ...Array.from({ length: 4 }, () => ["(unknown)", null]),
    ["0x1f", null],
  ]);
});

test("a deep stack keeps its outer frames, and of a great many samples the first are read", () => {
  const stacks = [[...Array.from({ length: MAX_DEPTH }, () => 0), 1]];
  const sample = { elapsed_since_start_ns: 5, thread_id: "1", stack_id: 0 };
  const profile = read({ frames: FRAMES, stacks, samples: Array.from({ length: MAX_SAMPLES + 3 }, () => sample) });
  expect(profile.stacks[0]).toHaveLength(MAX_DEPTH);
  expect(profile.stacks[0]?.at(-1)).toBe(1);
  expect(profile.samples).toHaveLength(MAX_SAMPLES);
  expect(profile.leftOut).toEqual({ unreadable: 0, beyond: 3, cutStacks: 1 });
});

test.each([
  ["null", null, "no-samples"],
  ["a list", [], "no-samples"],
  ["no profile", {}, "no-samples"],
  ["no list of samples", { profile: { samples: {}, stacks: [], frames: [] } }, "no-samples"],
  ["no samples", { profile: { samples: [], stacks: [[0]], frames: FRAMES } }, "no-samples"],
  ["an Android trace", { sampled_profile: "U0xPVw==" }, "android-trace"],
])("%s is no profile that can be drawn", (_, value, reason) => {
  expect(readProfile(value)).toEqual({ ok: false, reason });
});

test("long names are cut, of a path its beginning; signs that turn the direction are written out", () => {
  const frames = [{ function: `a\u202eb${"x".repeat(900)}`, filename: `${"folder/".repeat(60)}cart.py` }];
  const samples = [{ elapsed_since_start_ns: 0, thread_id: "1", stack_id: 0 }];
  const [frame] = read({ frames, stacks: [[0]], samples }).frames;
  expect(frame?.name).toMatch(/^a\\u202Ebx+…$/);
  expect(frame?.name).toHaveLength(120);
  expect(frame?.file).toMatch(/^….*\/cart\.py$/);
});
