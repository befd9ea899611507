import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { quantileOf } from "../../domain/spans/duration-histogram.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import { type CreateEventDatabase, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, span, spanId } from "./span-fixture.ts";

const ALL = { projectIds: projects(1), from: NOON - DAY_MS, to: NOON + DAY_MS };
const OP = { name: "op", isTag: false };
const TIER = { name: "customer/tier~2", isTag: true };

function where(search: string) {
  const { condition, errors } = bindSearch(parseSearch(search).tree, SPAN_VOCABULARY, NOON);
  expect(errors).toEqual([]);
  return condition;
}

async function idsOf(store: EventStore, search: string): Promise<string[]> {
  const found = await store.findSpans({ ...ALL, where: where(search) }, { order: "newest", cursor: null, limit: 50 });
  return found.spans.map((found) => found.spanId).sort();
}

const typed = (values: Record<string, string | number | boolean>) =>
  TYPED_ATTRIBUTES.map(({ column }) => values[column] ?? null);

const SPANS = [
  span(0, { durationUs: 5_000, attributes: '{"customer.tier":"gold","order.id":{"value":"7","type":"string"}}' }),
  span(1, { durationUs: 800_000, op: "http.client", name: "GET /cart", nameGroup: "GET /cart", status: "not_found" }),
  span(2, {
    typed: typed({ http_status: 502, user_id: "7", cache_hit: true }),
    attributes: '{"customer.tier":"free"}',
  }),
  span(3, { isSegment: true, segment: "POST /pay", release: "shop@2.0.0", environment: "production" }),
  span(4, { projectId: 2 }),
  span(5, { startedUs: (NOON - 2 * DAY_MS) * 1000 }),
];

export function describeSpanSearch(createDatabase: CreateEventDatabase): void {
  test("a pattern of many parts is looked for once in each text", async () => {
    await using store = await openStore(createDatabase);
    const long = (end: string) => JSON.stringify({ long: `${"lorem ipsum ".repeat(200)}${end}` });
    await appendSpans(store, [span(0, { attributes: long("") }), span(1, { attributes: long("100%_z") })]);
    const pattern = "*e*o*r*e*m*i*p*s*u*m*l*o*r*e*m*";
    expect(await idsOf(store, `long:${pattern}z`)).toEqual([spanId(2)]);
    expect(await idsOf(store, `long:${pattern}%_*`)).toEqual([spanId(2)]);
    expect(await idsOf(store, `long:${pattern}%*z`)).toEqual([spanId(2)]);
    expect(await idsOf(store, `long:${pattern}_%*`)).toEqual([]);
  });

  test.each([
    ["", [0, 1, 2, 3]],
    ["span.op:db", [0, 2, 3]],
    ["!span.op:db", [1]],
    ["span.duration:>500ms", [1]],
    ["cart", [1]],
    ["customer.tier:gold", [0]],
    ["customer.tier:G*", [0]],
    ["has:customer.tier", [0, 2]],
    ["!customer.tier:gold", [1, 2, 3]],
    ["order.id:7", [0]],
    ["http.response.status_code:>=500", [2]],
    ["http.status_code:502", [2]],
    ["cache.hit:true", [2]],
    ["user:7 OR release:shop@*", [2, 3]],
    ["is_segment:true", [3]],
    [`id:${spanId(2)}`, [1]],
    ["trace:0af7651916cd43dd8448eb211c80319c", []],
    ["span.duration:<1s customer.tier:free", [2]],
  ])("finds by %s", async (search, expected) => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, SPANS);
    expect(await idsOf(store, search)).toEqual(expected.map((sequence) => spanId(sequence + 1)));
  });

  test("pages through all, newest or slowest first, and leaves out what is not in the scope", async () => {
    await using store = await openStore(createDatabase);
    const spans = Array.from({ length: 7 }, (_, index) =>
      span(index, { startedUs: NOON * 1000 + (index % 3), durationUs: 1_000 * (index % 4) }),
    );
    await appendSpans(store, spans);
    for (const order of ["newest", "slowest"] as const) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page = await store.findSpans({ ...ALL, where: where("") }, { order, cursor, limit: 2 });
        seen.push(...page.spans.map((one) => (order === "newest" ? one.startedUs : one.durationUs)));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toHaveLength(7);
      expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    }
    const none = await store.findSpans(
      { ...ALL, projectIds: projects(), where: where("") },
      { order: "newest", cursor: "nonsense", limit: 5 },
    );
    expect(none).toEqual({ spans: [], nextCursor: null, searchedFrom: null });
  });

  test.each([
    ["from sums", "span.op:db", OP],
    ["from rows", "span.op:db span.duration:>0ms", OP],
  ])("sums %s: each span counts as often as its rate says", async (_, search, key) => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [
      span(0, { durationUs: 1_000, sampleRate: 0.25, status: "internal_error" }),
      span(1, { durationUs: 3_000 }),
      span(2, { op: "http" }),
    ]);
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) while (await store.rollUp(NOON + 10 * DAY_MS));
      const { sums, hasMore } = await store.sumFoundSpans(
        { ...ALL, where: where(search) },
        { by: [key], bucketMs: null, limit: 10, largest: "weight" },
      );
      expect(sums).toMatchObject([{ group: ["db"], at: null, spans: 2, weight: 5, failedWeight: 4, totalUs: 7_000 }]);
      expect(quantileOf(sums[0]?.durations ?? [], 0.5)).toBeCloseTo(1_000, -2);
      expect(quantileOf(sums[0]?.durations ?? [], 0.95)).toBeCloseTo(3_000, -3);
      expect(hasMore).toBe(false);
    }
  });

  test("groups by an attribute and over time, the largest groups only", async () => {
    await using store = await openStore(createDatabase);
    const tiers = ["gold", "free", "gold"];
    await appendSpans(
      store,
      tiers.map((tier, index) =>
        span(index, {
          startedUs: (NOON + index * MINUTE_MS) * 1000,
          attributes: JSON.stringify({ "customer/tier~2": tier }),
        }),
      ),
    );
    const { sums, hasMore } = await store.sumFoundSpans(
      { ...ALL, where: where("") },
      { by: [TIER], bucketMs: MINUTE_MS, limit: 1, largest: "weight" },
    );
    expect(sums.map(({ group, at, spans }) => [group[0], at, spans])).toEqual([
      ["gold", NOON, 1],
      ["gold", NOON + 2 * MINUTE_MS, 1],
    ]);
    expect(hasMore).toBe(true);
  });
}
