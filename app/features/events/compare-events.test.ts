import { expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import { alignLists } from "./align-lists.ts";
import { compareEvents, countDifferences } from "./compare-events.ts";
import { compareValues, flattenValues, MAX_VALUES, markDifference } from "./compare-values.ts";

const BASE: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1000,
  received: 1000,
  platform: "javascript",
  level: "error",
};
const compare = (left: Partial<SentryEvent>, right: Partial<SentryEvent>) =>
  compareEvents({ ...BASE, ...left }, { ...BASE, ...right });
const section = (id: string, left: Partial<SentryEvent>, right: Partial<SentryEvent>) =>
  compare(left, right).find((each) => each.id === id)?.groups;

test("lists stand side by side by their keys, gaps by the next key", () => {
  const first = (text: string) => text.charAt(0);
  const whole = (text: string) => text;
  expect(alignLists(["a1", "b1", "c1", "d1"], ["a1", "b2", "x1", "d1"], [whole, first])).toEqual([
    { left: "a1", right: "a1" },
    { left: "b1", right: "b2" },
    { left: "c1", right: null },
    { left: null, right: "x1" },
    { left: "d1", right: "d1" },
  ]);
  expect(alignLists([], ["a"], [whole])).toEqual([{ left: null, right: "a" }]);
  expect(alignLists(["a", "a"], ["a"], [whole])).toEqual([
    { left: "a", right: "a" },
    { left: "a", right: null },
  ]);
});

test("values are compared leaf by leaf, however deep, and not more than there may be", () => {
  const left = flattenValues({ cart: { items: [{ price: 1 }], empty: {} }, gone: null });
  const right = flattenValues({ cart: { items: [{ price: 2 }], empty: {} }, more: false });
  expect(compareValues(left, right)).toEqual([
    { name: "cart.items.0.price", left: "1", right: "2", isSame: false },
    { name: "cart.empty", left: "{}", right: "{}", isSame: true },
    { name: "more", left: null, right: "false", isSame: false },
  ]);
  expect(flattenValues(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, i]))).size).toBe(MAX_VALUES);
  const long = compareValues(new Map([["x", "a".repeat(5_000)]]), new Map([["x", `${"a".repeat(4_999)}b`]]));
  expect(long[0]).toMatchObject({ isSame: false, left: expect.stringMatching(/… \(5,000 characters\)$/) });
});

test("what differs within a text is marked, whole characters at a time", () => {
  expect(markDifference("shop@2.15.0", "shop@2.14.1")).toEqual({
    left: { before: "shop@2.1", differing: "5.0", after: "" },
    right: { before: "shop@2.1", differing: "4.1", after: "" },
  });
  expect(markDifference("aaa😀", "aaa😁")?.left).toEqual({ before: "aaa", differing: "😀", after: "" });
  expect(markDifference("aaaa", "aaa")?.right).toEqual({ before: "aaa", differing: "", after: "" });
  expect(markDifference("pro", "trial")).toBeNull();
});

test("frames stand side by side; one says which event alone has it, what differs is a line of its frame", () => {
  const stack = (...frames: Array<[name: string, line: number, vars?: Record<string, unknown>]>) => ({
    exception: {
      values: [
        {
          type: "TypeError",
          stacktrace: {
            frames: frames.map(([name, lineno, vars]) => ({
              function: name,
              filename: "src/cart.ts",
              lineno,
              in_app: true,
              ...(vars && { vars }),
            })),
          },
        },
      ],
    },
  });
  const groups = section(
    "stack",
    stack(["main", 1], ["load", 5], ["total", 9, { id: "a" }]),
    stack(["main", 1], ["retry", 3], ["total", 10, { id: "b" }]),
  );
  expect(groups?.map(({ title, side }) => [title, side])).toEqual([
    ["src/cart.ts in total", "both"],
    ["src/cart.ts in load", "left"],
    ["src/cart.ts in retry", "right"],
    ["src/cart.ts in main", "both"],
  ]);
  expect(groups?.[0]?.values.filter(({ isSame }) => !isSame)).toEqual([
    { name: "line", left: "9", right: "10", isSame: false },
    { name: "variables.id", left: "a", right: "b", isSame: false },
  ]);
});

test("a frame whose file has another name is the same call", () => {
  const stack = (filename: string) => ({ stacktrace: { frames: [{ function: "total", filename }] } });
  const [frame] = section("stack", stack("app.1f.js"), stack("app.2e.js")) ?? [];
  expect(frame).toMatchObject({ side: "both" });
  expect(frame?.values).toContainEqual({ name: "file", left: "app.1f.js", right: "app.2e.js", isSame: false });
});

test("breadcrumbs part where they differ; their times do not count", () => {
  const crumbs = (...texts: Array<[kind: string, text: string, at: number]>) => ({
    breadcrumbs: {
      values: texts.map(([category, message, timestamp]) => ({
        type: "default",
        level: "info",
        category,
        message,
        timestamp,
      })),
    },
  });
  const groups = section(
    "breadcrumbs",
    crumbs(["navigation", "/cart", 990], ["http", "POST /price", 998], ["console", "x", 999]),
    crumbs(["navigation", "/cart", 900], ["http", "GET /cart", 995]),
  );
  expect(groups?.[0]?.values).toEqual([
    { name: "−10.0 s", left: "navigation: /cart", right: "navigation: /cart", isSame: true },
    { name: "−2.0 s", left: "http: POST /price", right: "http: GET /cart", isSame: false },
    { name: "−1.0 s", left: "console: x", right: null, isSame: false },
  ]);
});

test("every part of an event is compared, and what neither has is left out", () => {
  const whole = (n: number): Partial<SentryEvent> => ({
    release: `shop@${n}`,
    logentry: { formatted: `message ${n}` },
    tags: [
      ["plan", `${n}`],
      ["release", `shop@${n}`],
      ["user", `id:${n}`],
      ["same", "x"],
    ],
    user: { id: `${n}`, email: "lena@example.com" },
    request: {
      method: "GET",
      url: "https://shop.example",
      headers: [
        ["Accept", `${n}`],
        ["Accept", "b"],
      ],
    },
    contexts: { browser: { type: "browser", name: "Chrome", version: `${n}` }, ...(n === 1 && { app: { build: 1 } }) },
    extra: { cart: { count: n } },
    modules: { react: `19.${n}` },
    sdk: { name: "sentry.javascript", version: `10.${n}` },
  });
  const sections = compare(whole(1), whole(2));
  expect(sections.map(({ id }) => id)).toEqual([
    "event",
    "exception",
    "tags",
    "user",
    "request",
    "contexts",
    "extra",
    "packages",
  ]);
  const differing = Object.fromEntries(
    sections.map(({ id, groups }) => [
      id,
      groups.flatMap(({ values }) => values.filter(({ isSame }) => !isSame).map(({ name }) => name)),
    ]),
  );
  expect(differing).toEqual({
    event: ["release"],
    exception: ["message"],
    tags: ["plan"],
    user: ["id"],
    request: ["header.Accept"],
    contexts: ["build", "version"],
    extra: ["cart.count"],
    packages: ["sdk version", "react"],
  });
  expect(sections.find(({ id }) => id === "contexts")?.groups.map(({ title, side }) => [title, side])).toEqual([
    ["app", "left"],
    ["browser", "both"],
  ]);
  // A context that only one event has counts as one difference.
  expect(countDifferences(sections)).toEqual({ differing: 10, same: 9 });
  expect(countDifferences(compare(whole(1), whole(1))).differing).toBe(0);
});
