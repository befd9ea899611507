import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import type { Condition, ValueTest } from "../../domain/search/condition.ts";
import { createRandom, pick, pickSome } from "../../domain/search/fixtures/random.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { TYPED_ATTRIBUTES, type TypedValue } from "../../domain/spans/typed-attributes.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { SpanRow } from "../events/spans.ts";
import { type CreateEventDatabase, eventId, NOON, openStore, projects } from "./fixture.ts";
import { toSearchedSpan } from "./searched-span.ts";
import { appendSpans, span, spanId, TRACE } from "./span-fixture.ts";

const ALL = { projectIds: projects(1, 2), from: NOON - 60 * MINUTE_MS, to: NOON + 60 * MINUTE_MS };

/** Cases of conditions: what a search finds in the store is what `matchesCondition` finds in memory. */
export function describeSpanConditions(createDatabase: CreateEventDatabase): void {
  test.each([
    ["made of tests", (random: () => number) => makeCondition(random, 2)],
    ["typed by people", (random: () => number) => typedCondition(makeSearch(random, 2))],
  ])("finds and counts the spans that the evaluator in memory finds, by conditions %s", async (_, make) => {
    await using store = await openStore(createDatabase);
    const random = createRandom(20261123);
    const spans = Array.from({ length: 60 }, (_, sequence) => makeSpan(random, sequence));
    await appendSpans(store, spans.slice(0, 40));
    // Some are in the sums by minute, and some are not yet.
    while (await store.rollUp(Number.POSITIVE_INFINITY));
    await appendSpans(store, spans.slice(40));
    let found = 0;
    for (let round = 0; round < 120; round++) {
      const where = make(random);
      const saying = JSON.stringify(where);
      const page = await store.findSpans({ ...ALL, where }, { order: "newest", cursor: null, limit: 100 });
      const meant = spans.filter((row) => matchesCondition(where, toSearchedSpan(row))).map((row) => row.spanId);
      expect(page.spans.map((row) => row.spanId).sort(), saying).toEqual(meant.sort());
      const options = { by: [], bucketMs: null, limit: 1 } as const;
      const { sums } = await store.sumFoundSpans({ ...ALL, where }, options);
      expect(sums[0]?.spans ?? 0, saying).toBe(meant.length);
      found += meant.length;
    }
    // Neither everything nor nothing.
    expect(found).toBeGreaterThan(500);
    expect(found).toBeLessThan(6_500);
  });
}

const TEXTS = [
  "a",
  "A",
  "ä",
  "Straße",
  "50%",
  "a_b",
  "a\\b",
  'say "hi"',
  "x=1",
  "two\nlines",
  "{}",
  "17",
  "true",
  "null",
  "",
];
const KEYS = ["plan", "a.b", "a/b", "~x", 'q"uote', "$.x", "ключ", "user.id", "http.response.status_code", "cache.hit"];
const FIELDS = [
  "op",
  "name",
  "nameGroup",
  "status",
  "kind",
  "origin",
  "segment",
  "release",
  "environment",
  "service",
  "sdk",
];
const IDS = ["traceId", "spanId", "parentId"];
const TEXT_COLUMNS = TYPED_ATTRIBUTES.filter(({ type }) => type === "text").map(({ column }) => column);
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  durationMs: [0, 0.5, 1.25, 1_000],
  startedAt: [NOON, NOON + 0.5, NOON + 3],
  isSegment: [0, 1],
  http_status: [200, 404, 500],
  cache_hit: [0, 1],
};

function makeSpan(random: () => number, sequence: number): SpanRow {
  const text = () => (random() < 0.3 ? null : pick(random, TEXTS));
  const value = () =>
    pick<unknown>(random, [
      pick(random, TEXTS),
      pick(random, [17, 0.5, -3, 1e21, "1e999", "+2.5e3", " 17", "0x11", "nan"]),
      true,
      null,
      ["a", 1],
      [pick(random, TEXTS), pick(random, TEXTS), 17.5, true, null, { value: "a" }, ["A"]],
      { value: [pick(random, TEXTS), "17"], type: "array" },
      JSON.stringify([pick(random, TEXTS), 0.5]),
      '["a", 17',
      "[]",
      { value: "a", unit: "ms" },
      { value: 17 },
    ]);
  const typed = (type: "text" | "integer" | "boolean"): TypedValue => {
    if (random() < 0.5) return null;
    return type === "text" ? pick(random, TEXTS) : type === "integer" ? pick(random, [200, 404, 500]) : random() < 0.5;
  };
  const attributes = Object.fromEntries(pickSome(random, KEYS, 5).map((key) => [key, value()]));
  return span(sequence, {
    projectId: 1 + (sequence % 2),
    traceId: random() < 0.5 ? TRACE : eventId(1),
    parentSpanId: random() < 0.4 ? null : spanId(1 + Math.floor(random() * 3)),
    isSegment: random() < 0.3,
    startedUs: NOON * 1000 + pick(random, [0, 500, 3_000]),
    durationUs: pick(random, [0, 500, 1_250, 1_000_000]),
    op: text(),
    name: text(),
    nameGroup: text(),
    status: text(),
    kind: text(),
    origin: text(),
    segment: text(),
    release: text(),
    environment: text(),
    service: text(),
    sdkName: text(),
    typed: TYPED_ATTRIBUTES.map(({ type }) => typed(type)),
    attributes: random() < 0.2 ? null : JSON.stringify(attributes),
  });
}

function makeCondition(random: () => number, depth: number): Condition {
  if (depth > 0 && random() < 0.6) {
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => makeCondition(random, depth - 1));
    return { kind: random() < 0.5 ? "all" : "any", parts };
  }
  const base = { kind: "test", isNegated: random() < 0.4 } as const;
  const choice = random();
  if (choice < 0.15) {
    const field = pick(random, Object.keys(NUMBERS));
    const sign = pick(random, ["=", ">", ">=", "<", "<="] as const);
    const test: ValueTest = { kind: "compare", sign, value: pick(random, NUMBERS[field] ?? [0]) };
    return { ...base, field, isTag: false, test: random() < 0.2 ? { kind: "exists" } : test };
  }
  if (choice < 0.2) {
    const sign = pick(random, [">", ">=", "<", "<="] as const);
    const test: ValueTest = { kind: "compare", sign, value: pick(random, [-3, 0.5, 17, 404]) };
    return { ...base, field: pick(random, KEYS), isTag: true, test };
  }
  if (choice < 0.28) {
    const values = pickSome(random, [...TEXTS.filter(Boolean), "0.5", "200", "false"], 2);
    return { ...base, field: "*", isTag: true, test: { kind: "in", values } };
  }
  if (choice < 0.35) {
    const [field, values] =
      random() < 0.5 ? ["projectId", ["2"]] : [pick(random, IDS), [TRACE, spanId(1), spanId(2), "x"]];
    return { ...base, field, isTag: false, test: { kind: "in", values } };
  }
  // Half of them of what the sums by minute have.
  if (choice < 0.55) return { ...base, field: pick(random, SUMMED), isTag: false, test: makeTest(random) };
  const isTag = choice < 0.75;
  const field = pick(random, isTag ? KEYS : [...FIELDS, ...TEXT_COLUMNS, "text"]);
  return { ...base, field, isTag, test: makeTest(random) };
}

const SUMMED = ["op", "nameGroup", "status", "segment", "release", "environment"];

function makeTest(random: () => number): ValueTest {
  const texts = [...TEXTS, "0.5", "200"];
  const [one, other] = [pick(random, texts), pick(random, texts)];
  return pick<ValueTest>(random, [
    { kind: "exists" },
    { kind: "in", values: [] },
    { kind: "in", values: [one] },
    { kind: "in", values: [one, other] },
    { kind: "in", values: [one, ...Array.from({ length: 30 }, (_, index) => `text ${index}`)] },
    { kind: "like", parts: [ANY_TEXT] },
    { kind: "like", parts: [one] },
    { kind: "like", parts: [one, ANY_TEXT] },
    { kind: "like", parts: [ANY_TEXT, one] },
    { kind: "like", parts: [ANY_TEXT, one, ANY_TEXT, other] },
  ]);
}

function typedCondition(search: string): Condition {
  const parsed = parseSearch(search);
  const { condition, errors } = bindSearch(parsed.tree, SPAN_VOCABULARY, NOON);
  expect([...parsed.errors, ...errors], search).toEqual([]);
  return condition;
}

function makeSearch(random: () => number, depth: number): string {
  if (depth > 0 && random() < 0.6) {
    const [one, other] = [makeSearch(random, depth - 1), makeSearch(random, depth - 1)];
    return `(${one} ${pick(random, ["AND", "OR", ""])} ${other})`;
  }
  const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
  const value = quote(pick(random, TEXTS.filter(Boolean)));
  const filter = pick(random, [
    ...[
      "span.op",
      "span.name",
      "span.group",
      "transaction",
      "release",
      "service",
      "user",
      "url.full",
      "plan",
      "a.b",
      "*",
    ].map((key) => `${key}:${value}`),
    `span.status:[${value},ok,"17"]`,
    "span.description:*A*",
    "plan:tr*",
    "has:plan",
    "plan:>16",
    "plan:<=50%",
    "a.b:>=1.5k",
    "has:db.system",
    "has:parent",
    `trace:${TRACE}`,
    `id:${spanId(3)}`,
    `parent:${spanId(1)}`,
    "span.duration:>1ms",
    "span.duration:<=500us",
    "timestamp:>2026-05-20T12:00:00Z",
    "http.status_code:>=404",
    "cache.hit:false",
    "is_segment:true",
    value,
  ]);
  return filter.startsWith('"') || random() < 0.6 ? filter : `!${filter}`;
}
