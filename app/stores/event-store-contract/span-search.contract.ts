import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { createRandom } from "../../domain/search/fixtures/random.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { quantileOf, weightedQuantile } from "../../domain/spans/duration-histogram.ts";
import { aggregateOf, SPAN_AGGREGATES } from "../../domain/spans/span-aggregates.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import type { SpanGroupOrder, SpanGroupSum } from "../events/span-search.ts";
import type { SpanRow } from "../events/spans.ts";
import { append, type CreateEventDatabase, event, eventId, NOON, openStore, projects } from "./fixture.ts";
import { toSearchedSpan } from "./searched-span.ts";
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
    const long = (end: string) => JSON.stringify({ long: `${"lorem ipsum ".repeat(150)}${end}` });
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
    ["*:7", [0, 2]],
    ["tags[http.response.status_code]:502", [2]],
    ["span.duration:<1s customer.tier:free", [2]],
  ])("finds by %s", async (search, expected) => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, SPANS);
    expect(await idsOf(store, search)).toEqual(expected.map((sequence) => spanId(sequence + 1)));
  });

  test("finds a list by each of its values, however it was sent", async () => {
    await using store = await openStore(createDatabase);
    const lists = [
      { roles: ["admin", "eu west", 7] },
      { roles: { value: ["admin"], type: "array" } },
      { roles: '["reader"]' },
      { roles: "admin" },
      { roles: ["admins"], others: ["admin"] },
    ];
    await appendSpans(
      store,
      lists.map((attributes, sequence) => span(sequence, { attributes: JSON.stringify(attributes) })),
    );
    const found = async (search: string) =>
      (await idsOf(store, search)).map((id) => lists.findIndex((_, sequence) => spanId(sequence + 1) === id)).sort();
    expect(await found("roles:admin")).toEqual([0, 1, 3]);
    expect(await found("!roles:admin")).toEqual([2, 4]);
    expect(await found('roles:[reader, "eu west"]')).toEqual([0, 2]);
    expect(await found("roles:adm*")).toEqual([0, 1, 3, 4]);
    expect(await found("roles:>6")).toEqual([0]);
    expect(await found('roles:"[\\"admin\\"]"')).toEqual([1]);
    // Under whatever key.
    expect(await found("*:admin")).toEqual([0, 1, 3, 4]);
    expect(await found("*:reader")).toEqual([2]);
    expect(await found("!*:7")).toEqual([1, 2, 3, 4]);
    for (const search of ["*:admin", "!*:7", '*:"eu west"', "*:reader"])
      expect(await found(search), search).toEqual(
        [...lists.keys()].filter((sequence) =>
          matchesCondition(
            where(search),
            toSearchedSpan(span(sequence, { attributes: JSON.stringify(lists[sequence]) })),
          ),
        ),
      );
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
        { by: [key], bucketMs: null, limit: 10 },
      );
      expect(sums).toMatchObject([{ group: ["db"], at: null, spans: 2, weight: 5, failedWeight: 4, totalUs: 7_000 }]);
      expect(quantileOf(sums[0]?.durations ?? [], 0.5)).toBeCloseTo(1_000, -2);
      expect(quantileOf(sums[0]?.durations ?? [], 0.95)).toBeCloseTo(3_000, -3);
      expect(hasMore).toBe(false);
    }
  });

  test.each([
    ["from sums", "span.op:db"],
    ["from rows", "span.op:db span.duration:>0ms"],
  ])("sums %s what began in the range, also where it cuts a minute", async (_, search) => {
    await using store = await openStore(createDatabase);
    const seconds = [0, 17, 42, 60, 90, 120, 150];
    await appendSpans(
      store,
      seconds.map((second, index) => span(index, { startedUs: NOON * 1000 + second * 1_000_000 })),
    );
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) while (await store.rollUp(NOON + 10 * DAY_MS));
      for (const [from, to] of [
        [0, 180],
        [17, 120],
        [18, 121],
        [10, 20],
        [10, 17],
        [60, 90],
        [90, 120],
      ] as const) {
        const range = { from: NOON + from * 1000, to: NOON + to * 1000 };
        const { sums } = await store.sumFoundSpans(
          { ...ALL, ...range, where: where(search) },
          { by: [], bucketMs: null, limit: 1 },
        );
        const expected = seconds.filter((second) => second >= from && second < to).length;
        expect(sums[0]?.spans ?? 0, `${from} to ${to}`).toBe(expected);
      }
    }
  });

  test("groups spans that name no service by the name for their project", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0, { service: null }), span(1, { service: "" }), span(2, { service: "worker" })]);
    const unnamed = new Map([[1, "shop"]]);
    const { sums } = await store.sumFoundSpans(
      { ...ALL, where: where("") },
      { by: [{ name: "service", isTag: false, unnamed }], bucketMs: null, limit: 10 },
    );
    expect(sums.map(({ group, spans }) => [group, spans])).toEqual([
      [["shop"], 2],
      [["worker"], 1],
    ]);
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
      { by: [TIER], bucketMs: MINUTE_MS, limit: 1 },
    );
    expect(sums.map(({ group, at, spans }) => [group[0], at, spans])).toEqual([
      ["gold", NOON, 1],
      ["gold", NOON + 2 * MINUTE_MS, 1],
    ]);
    expect(hasMore).toBe(true);
  });

  test.each([
    ["from sums", OP],
    ["from rows", TIER],
  ])("adds up all groups %s, also those that it leaves out", async (_, key) => {
    await using store = await openStore(createDatabase);
    const kinds = ["a", "b", "b", "c", "c", "c"];
    await appendSpans(
      store,
      kinds.map((kind, index) =>
        span(index, {
          op: kind,
          startedUs: (NOON + (index % 2) * MINUTE_MS) * 1000,
          durationUs: 1_000 * (1 + (index % 3)),
          attributes: JSON.stringify({ "customer/tier~2": kind }),
        }),
      ),
    );
    const inOrder = (sums: SpanGroupSum[]) =>
      sums.map((sum) => ({ ...sum, durations: sum.durations.toSorted(([one], [other]) => one - other) }));
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) while (await store.rollUp(NOON + 10 * DAY_MS));
      const options = { bucketMs: MINUTE_MS, limit: 1 } as const;
      const filter = { ...ALL, where: where("") };
      const grouped = await store.sumFoundSpans(filter, { ...options, by: [key] });
      const whole = await store.sumFoundSpans(filter, { ...options, by: [] });
      const both = await store.sumFoundSpans(filter, { ...options, by: [key], wholeLimit: 2 });
      const alone = await store.sumFoundSpans(filter, { ...options, by: [key], bucketMs: null, limit: 2 });
      expect(inOrder(both.sums)).toEqual(inOrder(grouped.sums));
      expect(grouped.sums.map(({ group, spans }) => [group[0], spans])).toEqual([
        ["c", 1],
        ["c", 2],
      ]);
      expect(inOrder(grouped.totals)).toEqual(inOrder(whole.sums));
      expect(grouped.whole).toEqual({ sums: [], hasMore: false });
      expect(inOrder(both.whole.sums)).toEqual(inOrder(alone.sums));
      expect(both.whole.sums.map(({ group, at, spans }) => [group[0], at, spans])).toEqual([
        ["c", null, 3],
        ["b", null, 2],
      ]);
      expect([both.whole.hasMore, alone.hasMore]).toEqual([true, true]);
      expect(grouped.totals.map(({ at, spans }) => [at, spans])).toEqual([
        [NOON, 3],
        [NOON + MINUTE_MS, 3],
      ]);
    }
  });

  test.each([
    ["from sums", OP],
    ["from rows", TIER],
  ])("gives the groups %s that come first by a figure of all groups, or by a key", async (_, key) => {
    await using store = await openStore(createDatabase);
    const random = createRandom(7);
    await appendSpans(
      store,
      Array.from({ length: 120 }, (_, index) => {
        const group = String(index % 30);
        return span(index, {
          op: group,
          durationUs: Math.round(1_000 * 1.5 ** (random() * 30)),
          sampleRate: index % 7 === 0 ? 0.5 : null,
          status: random() < 0.4 ? "internal_error" : "ok",
          startedUs: (NOON + Math.round(random() * 50) * MINUTE_MS) * 1000,
          attributes: JSON.stringify({ "customer/tier~2": group }),
        });
      }),
    );
    const filter = { ...ALL, where: where("") };
    const first = async (order: SpanGroupOrder, limit: number) =>
      (await store.sumFoundSpans(filter, { by: [key], bucketMs: null, limit, order })).sums;
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) while (await store.rollUp(NOON + 10 * DAY_MS));
      const all = (await store.sumFoundSpans(filter, { by: [key], bucketMs: null, limit: 100 })).sums;
      expect(all).toHaveLength(30);
      for (const figure of SPAN_AGGREGATES)
        for (const isDescending of [true, false]) {
          const figureOf = (sum: SpanGroupSum) => Number(aggregateOf(figure, sum)) * (isDescending ? -1 : 1);
          const expected = all.toSorted((a, b) => figureOf(a) - figureOf(b) || b.weight - a.weight);
          const found = await first({ of: figure, isDescending }, 30);
          const what = `${figure} ${isDescending}`;
          // Of groups that have one figure and one weight, either may come first.
          expect(found.map(figureOf), what).toEqual(expected.map(figureOf));
          expect(
            found.map(({ weight }) => weight),
            what,
          ).toEqual(expected.map(({ weight }) => weight));
          expect(
            (await first({ of: figure, isDescending }, 5)).map(({ group }) => group),
            what,
          ).toEqual(found.slice(0, 5).map(({ group }) => group));
        }
      const names = async (isDescending: boolean) =>
        (await first({ of: 0, isDescending }, 4)).map(({ group: [name] }) => name);
      expect(await names(false)).toEqual(["0", "1", "2", "3"]);
      expect(await names(true)).toEqual(["29", "28", "27", "26"]);
    }
  });

  test("sums the numbers of attributes, each as often as its span's rate says, also of less than one and than nothing", async () => {
    await using store = await openStore(createDatabase);
    const costs = [0.5, "2.5", { value: 400, type: "integer" }, -3, 0, "free", true, null, "NaN", 1e150, 1e201];
    await appendSpans(
      store,
      costs.map((cost, index) =>
        span(index, {
          op: index < 5 ? "db" : "http",
          sampleRate: index === 2 ? 0.5 : null,
          startedUs: (NOON + (index % 2) * MINUTE_MS) * 1000,
          typed: typed({ http_status: 200 + index }),
          attributes: JSON.stringify({ cost }),
        }),
      ),
    );
    const COST = { name: "cost", isTag: true };
    const options = { by: [OP], bucketMs: null, limit: 9, numbers: [COST, { name: "http_status", isTag: false }] };
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) while (await store.rollUp(NOON + 10 * DAY_MS));
      const { sums } = await store.sumFoundSpans({ ...ALL, where: where("") }, options);
      const [db, http] = sums.toSorted(({ group: [a] }, { group: [b] }) => (String(a) < String(b) ? -1 : 1));
      expect(db).toMatchObject({
        group: ["db"],
        spans: 5,
        numbers: [{ weight: 6, total: 800, min: -3, max: 400 }, { weight: 6 }],
      });
      const quantile = (share: number) => weightedQuantile(db?.numbers?.[0]?.values ?? [], share);
      const expected = [-3, -3, 0, 0.5, 2.5, 400, 400];
      // Of numbers far apart, each is exact.
      expect([0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1].map(quantile)).toEqual(expected);
      expect(http?.numbers?.[0]).toMatchObject({ weight: 1, total: 1e150 });
      expect(http?.numbers?.[1]).toMatchObject({ weight: 6, total: 6 * 207.5, min: 205, max: 210 });
      const byCost = await store.sumFoundSpans(
        { ...ALL, where: where("cost:<=400") },
        {
          ...options,
          numbers: [COST],
          bucketMs: MINUTE_MS,
          order: { of: "max(span.duration)", number: 0, isDescending: true },
        },
      );
      // Groups without such a number are left out.
      expect(byCost.sums.map(({ group, at, numbers }) => [group[0], at, numbers?.[0]?.total])).toEqual([
        ["db", NOON, 800.5],
        ["db", NOON + MINUTE_MS, -0.5],
      ]);
    }
    const none = await store.sumFoundSpans(
      { ...ALL, where: where("") },
      { by: [], bucketMs: null, limit: 1, numbers: [{ name: "absent", isTag: true }] },
    );
    expect(none.sums).toMatchObject([{ spans: 11, numbers: [undefined] }]);
  });

  test("sums that are asked again have what came since, also in a later time, and not what was deleted", async () => {
    await using store = await openStore(createDatabase);
    const bucketMs = 10 * MINUTE_MS;
    const stored: SpanRow[] = [];
    const add = async (count: number) => {
      const rows = Array.from({ length: count }, (_, index) => {
        const number = stored.length + index;
        return span(number, {
          projectId: 1 + (number % 3),
          op: `op ${number % 4}`,
          startedUs: (NOON + ((number * 7) % 40) * 5 * MINUTE_MS) * 1000,
          durationUs: 1_000 * (1 + (number % 5)),
        });
      });
      stored.push(...rows);
      await appendSpans(store, rows);
    };
    const compare = async (ids: number[], from: number) => {
      const to = from + 12 * bucketMs;
      const { sums } = await store.sumFoundSpans(
        { projectIds: projects(...ids), from, to, where: where("") },
        { by: [OP], bucketMs, limit: 9 },
      );
      const expected = new Map<string, { spans: number; totalUs: number; bars: number }>();
      for (const { projectId, op, startedUs, durationUs } of stored) {
        if (!ids.includes(projectId) || startedUs < from * 1000 || startedUs >= to * 1000) continue;
        const key = `${op} ${from + Math.floor((startedUs / 1000 - from) / bucketMs) * bucketMs}`;
        const { spans, totalUs, bars } = expected.get(key) ?? { spans: 0, totalUs: 0, bars: 0 };
        expected.set(key, { spans: spans + 1, totalUs: totalUs + durationUs, bars: bars + 1 });
      }
      const found = sums.map(({ group, at, spans, totalUs, durations }) => {
        const bars = durations.reduce((sum, [, weight]) => sum + weight, 0);
        return [`${group[0]} ${at}`, { spans, totalUs, bars }] as const;
      });
      expect(found.toSorted()).toEqual([...expected].toSorted());
    };
    const compareAll = async () => {
      for (const from of [NOON, NOON + bucketMs, NOON + bucketMs / 2, NOON + 3 * bucketMs])
        for (const ids of [[1, 2], [3]]) await compare(ids, from);
    };
    await add(90);
    while (await store.rollUp(NOON + 10 * DAY_MS));
    await compareAll();
    await add(60);
    await compareAll();
    while (await store.rollUp(NOON + 10 * DAY_MS));
    await compareAll();
    await store.deletion.deleteProject(2);
    stored.splice(0, stored.length, ...stored.filter(({ projectId }) => projectId !== 2));
    await compareAll();
  });

  test("finds the traces behind one of thousands of spans", async () => {
    await using store = await openStore(createDatabase);
    const of = (index: number, trace: number) =>
      span(index, { traceId: eventId(trace), startedUs: (NOON + index) * 1000, durationUs: 10 });
    const large = Array.from({ length: 2_050 }, (_, index) => of(index + 2, 3));
    await appendSpans(store, [of(0, 1), of(1, 2), ...large]);
    const { traces, nextCursor } = await store.findTraces({ ...ALL, where: where("") }, { cursor: null, limit: 5 });
    expect(traces.map(({ traceId, matched }) => [traceId, matched])).toEqual([
      [eventId(3), 2_050],
      [eventId(2), 1],
      [eventId(1), 1],
    ]);
    expect(nextCursor).toBeNull();
  });

  test("finds the traces of spans, page by page, each once", async () => {
    await using store = await openStore(createDatabase);
    const at = (minutes: number) => ({ startedUs: (NOON + minutes * MINUTE_MS) * 1000 });
    const of = (trace: number, minutes: number, change: Partial<SpanRow> = {}) => ({
      ...at(minutes),
      traceId: eventId(trace),
      ...change,
    });
    await appendSpans(store, [
      span(0, of(1, 0, { name: "GET /", op: "http.server", service: "web", durationUs: 60_000_000 })),
      span(1, of(1, 1, { parentSpanId: spanId(1), service: "cart", status: "not_found" })),
      span(2, of(2, 2)),
      // The first trace again, after the second began.
      span(3, of(1, 3, { parentSpanId: spanId(1) })),
    ]);
    while (await store.rollUp(NOON + DAY_MS));
    await appendSpans(store, [
      span(4, of(3, -1)),
      span(5, of(3, 0, { parentSpanId: spanId(5), projectId: 2 })),
      span(6, of(4, 9, { projectId: 2 })),
    ]);
    await append(store, [event(20, { traceId: eventId(1) }), event(21, { traceId: eventId(1), projectId: 2 })]);
    const filter = { ...ALL, where: where("span.op:db OR span.op:http.server") };
    const first = await store.findTraces(filter, { cursor: null, limit: 2 });
    expect(first.traces).toEqual([
      {
        traceId: eventId(1),
        firstUs: at(0).startedUs,
        lastUs: at(3).startedUs + 5_000,
        spans: 3,
        failed: 1,
        root: { name: "GET /", op: "http.server", projectId: 1 },
        services: ["cart", "web"],
        projectIds: [1],
        matched: 3,
        matchedUs: at(3).startedUs,
        errors: 1,
      },
      expect.objectContaining({ traceId: eventId(2), matched: 1, errors: 0 }),
    ]);
    const second = await store.findTraces(filter, { cursor: first.nextCursor, limit: 2 });
    expect(second.traces.map(({ traceId, matched }) => [traceId, matched])).toEqual([[eventId(3), 1]]);
    expect(second.nextCursor).toBeNull();
    const some = await store.findTraces({ ...ALL, where: where("service:cart") }, { cursor: null, limit: 5 });
    expect(some.traces).toMatchObject([{ traceId: eventId(1), spans: 3, matched: 1, matchedUs: at(1).startedUs }]);
    const none = await store.findTraces({ ...filter, projectIds: projects() }, { cursor: "x", limit: 5 });
    expect(none).toEqual({ traces: [], nextCursor: null, searchedFrom: null });
  });

  test("compares what is selected with the rest: shares by weight, what differs most first", async () => {
    await using store = await openStore(createDatabase);
    const slow = {
      durationUs: 2_000_000,
      release: "shop@2",
      attributes: '{"tier":{"value":"gold","unit":"x"},"all":1}',
    };
    await appendSpans(store, [
      span(0, { ...slow, sampleRate: 0.25 }),
      span(1, { ...slow, release: "shop@1" }),
      // As slow, and earlier than the selection.
      span(2, { ...slow, startedUs: (NOON - MINUTE_MS) * 1000, release: "shop@1" }),
      span(3, { release: "shop@1", attributes: '{"tier":"free","all":1}' }),
      span(4, { release: "shop@1", attributes: '{"tier":"free","all":1,"half":"\\ud800"}' }),
      span(5, { op: "http", projectId: 2 }),
    ]);
    const selection = { fromUs: NOON * 1000, toUs: (NOON + MINUTE_MS) * 1000, minUs: 1_000_000, maxUs: null };
    const found = await store.compareSpans({ ...ALL, where: where("span.op:db") }, selection);
    expect(found).toMatchObject({
      selected: { spans: 2, read: 2, weight: 5 },
      rest: { spans: 3, read: 3, weight: 3 },
      searchedFrom: null,
    });
    const of = (key: string, value: string) => found.values.find((each) => each.key === key && each.value === value);
    expect(found.values.slice(0, 2).map(({ key }) => key)).toEqual(["release", "release"]);
    expect(of("release", "shop@2")).toMatchObject({ selected: { spans: 1, weight: 4 }, rest: { spans: 0, weight: 0 } });
    expect(of("tier", "gold")).toMatchObject({ selected: { spans: 2, weight: 5 }, rest: { spans: 1, weight: 1 } });
    expect(of("span.op", "db")).toMatchObject({ selected: { spans: 2 }, rest: { spans: 3 } });
    const none = await store.compareSpans(
      { ...ALL, where: where("") },
      { ...selection, minUs: 0, maxUs: 1, fromUs: 0, toUs: 1 },
    );
    expect(none.selected).toEqual({ spans: 0, read: 0, weight: 0 });
    expect(none.rest.spans).toBe(5);
  });

  test("compares the numbers of an attribute that has many, instead of its values", async () => {
    await using store = await openStore(createDatabase);
    const items = ["many", ...Array.from({ length: 11 }, (_, index) => index * 10)];
    await appendSpans(
      store,
      items.map((count, index) =>
        span(index, {
          durationUs: index > 9 ? 2_000_000 : 1_000,
          release: String(index),
          attributes: JSON.stringify({ items: count, few: index % 10, name: `n${index}` }),
          ...(index === 11 && { sampleRate: 0.25 }),
        }),
      ),
    );
    const selection = { fromUs: 0, toUs: (NOON + MINUTE_MS) * 1000, minUs: 1_000_000, maxUs: null };
    const found = await store.compareSpans({ ...ALL, where: where("") }, selection);
    expect(new Set(found.numbers.map(({ key }) => key))).toEqual(new Set(["items"]));
    expect(found.numbers.map(({ number }) => number)).toEqual(items.slice(1));
    expect(found.numbers.at(0)).toMatchObject({ selected: { spans: 0, weight: 0 }, rest: { spans: 1, weight: 1 } });
    expect(found.numbers.at(-1)).toMatchObject({ selected: { spans: 1, weight: 4 }, rest: { spans: 0, weight: 0 } });
    const keys = found.values.map(({ key }) => key);
    expect(["items", "few", "name", "release"].map((key) => keys.includes(key))).toEqual([false, true, true, true]);
  });
}
