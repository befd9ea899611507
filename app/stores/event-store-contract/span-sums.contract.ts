import { expect, test } from "vitest";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import { MAX_SPAN_GROUPS } from "../events/span-sums.ts";
import type { SpanRow } from "../events/spans.ts";
import { type CreateEventDatabase, eventId, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, log, span, spanId, TRACE } from "./span-fixture.ts";

const LATER = NOON + 10 * DAY_MS;
const ALL = { projectIds: projects(1), from: NOON - DAY_MS, to: NOON + 5 * DAY_MS };
const WHOLE = { groupBy: [], bucketMs: null } as const;
const ATTRIBUTES = { ...ALL, signal: "spans" } as const;

async function sumAll(store: EventStore): Promise<void> {
  while (await store.rollUp(LATER));
}

/** The answer must not depend on how far the sums are: it is asked for before, in between and after. */
async function askThrice<Answer>(store: EventStore, batches: readonly SpanRow[][], ask: () => Promise<Answer>) {
  for (const batch of batches.slice(0, -1)) await appendSpans(store, batch);
  await sumAll(store);
  await appendSpans(store, batches.at(-1) ?? []);
  const between = await ask();
  await sumAll(store);
  expect(await ask()).toEqual(between);
  return between;
}

export function describeSpanSums(createDatabase: CreateEventDatabase): void {
  test("sums spans by group, those of most time first, and each as often as its sampling rate says", async () => {
    await using store = await openStore(createDatabase);
    const batches = [
      [span(0, { durationUs: 1_000, sampleRate: 0.25 }), span(1, { durationUs: 3_000 })],
      [span(2, { op: "http", nameGroup: "GET /", durationUs: 1_000_000 }), span(3, { projectId: 2 })],
    ];
    const sums = await askThrice(store, batches, () =>
      store.sumSpans(ALL, { groupBy: ["op", "name"], bucketMs: null }),
    );
    expect(sums).toMatchObject([
      { group: { op: "http", name: "GET /" }, at: null, spans: 1, weight: 1, totalUs: 1_000_000 },
      { group: { op: "db", name: "SELECT ?" }, spans: 2, weight: 5, totalUs: 7_000 },
    ]);
    // Four of the five took a millisecond.
    expect(sums[1]?.p75Us).toBeCloseTo(1_000, -2);
    expect(sums[1]?.p95Us).toBeCloseTo(3_000, -3);
    expect(await store.sumSpans({ ...ALL, projectIds: projects() }, WHOLE)).toEqual([]);
    expect(await store.sumSpans({ ...ALL, from: LATER, to: LATER + DAY_MS }, WHOLE)).toEqual([]);
  });

  test("percentiles are within 3 %, however many pieces they are of", async () => {
    await using store = await openStore(createDatabase);
    const durations = Array.from({ length: 300 }, (_, index) => 50 + index ** 2 * 7);
    const spans = durations.map((durationUs, index) => span(index, { durationUs }));
    const [sum] = await askThrice(store, [spans.slice(0, 100), spans.slice(100, 200), spans.slice(200)], () =>
      store.sumSpans(ALL, WHOLE),
    );
    for (const [share, value] of [
      [0.5, sum?.p50Us],
      [0.75, sum?.p75Us],
      [0.95, sum?.p95Us],
      [0.99, sum?.p99Us],
    ] as const) {
      const exact = durations[Math.ceil(share * durations.length) - 1] ?? 0;
      expect(Math.abs((value ?? 0) - exact) / exact, `${share}`).toBeLessThan(0.03);
    }
  });

  test("sums by bucket, and only what the filter lets through", async () => {
    await using store = await openStore(createDatabase);
    const at = (minutes: number) => ({ startedUs: (NOON + minutes * MINUTE_MS) * 1000 });
    const batch = [
      span(0, { ...at(0), isSegment: true }),
      span(1, { ...at(5), isSegment: true, release: "shop@1", environment: "production", segment: "GET /" }),
      span(2, { ...at(11), isSegment: true, status: null }),
      span(3, at(11)),
    ];
    const ask = () =>
      store.sumSpans(
        { ...ALL, from: NOON, to: NOON + HOUR_MS, isSegment: true },
        { groupBy: [], bucketMs: 10 * MINUTE_MS },
      );
    const sums = await askThrice(store, [batch, []], ask);
    expect(sums.map(({ at: bucket, spans }) => [bucket, spans])).toEqual([
      [NOON, 2],
      [NOON + 10 * MINUTE_MS, 1],
    ]);
    const of = async (change: object) => (await store.sumSpans({ ...ALL, ...change }, WHOLE))[0]?.spans;
    expect(await of({ releases: ["shop@1"], environments: ["production"], segments: ["GET /"] })).toBe(1);
    expect(await of({ ops: ["db"], names: ["SELECT ?"] })).toBe(4);
    expect(await of({ ops: ["http"] })).toBeUndefined();
  });

  test("gives at most a hundred groups", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(
      store,
      Array.from({ length: MAX_SPAN_GROUPS + 5 }, (_, index) => span(index, { op: `op ${index}`, durationUs: index })),
    );
    const sums = await store.sumSpans(ALL, { groupBy: ["op"], bucketMs: null });
    expect(sums.map(({ group }) => group.op)).toEqual(
      Array.from({ length: MAX_SPAN_GROUPS }, (_, index) => `op ${MAX_SPAN_GROUPS + 4 - index}`),
    );
  });

  test("knows of a trace when it was, its root, services, and what failed", async () => {
    await using store = await openStore(createDatabase);
    const at = (ms: number) => ({ startedUs: (NOON + ms) * 1000 });
    const batches = [
      [span(0, { ...at(10), parentSpanId: spanId(9), status: "not_found", service: "cart" })],
      [
        span(1, { ...at(5), name: "GET /", op: "http.server", durationUs: 90_000, service: "web" }),
        span(2, { ...at(7), name: "later root" }),
        span(3, { ...at(8), projectId: 2, parentSpanId: spanId(2), status: "error", service: "cart" }),
        span(4, { ...at(1), traceId: eventId(78) }),
      ],
    ];
    const filter = { projectIds: projects(1, 2), traceId: TRACE };
    expect(await askThrice(store, batches, () => store.findTrace(filter))).toEqual({
      firstUs: (NOON + 5) * 1000,
      lastUs: (NOON + 95) * 1000,
      spans: 4,
      failed: 2,
      root: { name: "GET /", op: "http.server", projectId: 1 },
      services: ["cart", "web"],
      projectIds: [1, 2],
    });
    expect(await store.findTrace({ ...filter, projectIds: projects(2) })).toMatchObject({ spans: 1, root: null });
    expect(await store.findTrace({ ...filter, traceId: eventId(5) })).toBeNull();
    expect(await store.listSpans({ ...filter, limit: 10 })).toHaveLength(4);
  });

  test("counts values of attributes and of well-known fields by key", async () => {
    await using store = await openStore(createDatabase);
    const typed = TYPED_ATTRIBUTES.map(({ column }) => (column === "http_status" ? 500 : null));
    const attributes = JSON.stringify({
      plan: "pro",
      "cart.items": 3,
      gift: true,
      long: "x".repeat(201),
      list: [1],
      "user.email": "ada@example.com",
    });
    await appendSpans(
      store,
      [
        span(0, { attributes, typed }),
        span(1, { attributes: '{"plan":"free"}' }),
        span(2, { attributes: '{"plan":"pro"}', sampleRate: 0.25 }),
      ],
      [log(3, { level: "warn", attributes: '{"plan":"log"}' })],
    );
    await sumAll(store);
    const values = async (key: string, change: object = {}) =>
      (await store.listAttributeValues({ ...ATTRIBUTES, key, ...change }, 10)).map(({ value, count }) => [
        value,
        count,
      ]);
    expect(await values("plan")).toEqual([
      // One of four was kept.
      ["pro", 5],
      ["free", 1],
    ]);
    expect(await values("plan", { prefix: "FR" })).toEqual([["free", 1]]);
    expect(await values("plan", { signal: "logs" })).toEqual([["log", 1]]);
    expect(await values("severity", { signal: "logs" })).toEqual([["warn", 1]]);
    expect(await values("http.response.status_code")).toEqual([["500", 1]]);
    expect(await values("span.op")).toEqual([["db", 6]]);
    expect(await values("gift")).toEqual([["true", 1]]);
    expect(await values("long")).toEqual([]);
    expect(await values("list")).toEqual([]);
    expect(await values("user.email")).toEqual([]);
    expect(await values("plan", { projectIds: projects(2) })).toEqual([]);
    expect(await values("plan", { from: NOON + DAY_MS })).toEqual([]);
    const keys = (await store.listAttributeKeys(ATTRIBUTES, 100)).map(({ key }) => key);
    expect(keys.slice(0, 3)).toEqual(["plan", "span.name", "span.op"]);
    expect(keys).toContain("cart.items");
  });

  test("attributes are known as soon as they are stored, and counted once", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0, { attributes: '{"plan":"pro"}' })], [log(1, { attributes: '{"shop":"eu"}' })]);
    await sumAll(store);
    await appendSpans(
      store,
      [span(2, { op: "fresh.op", attributes: '{"plan":"pro","fresh":"yes"}', sampleRate: 0.5 })],
      [log(3, { service: "fresh service" })],
    );
    const known = async (signal: "spans" | "logs", key: string) => [
      (await store.listAttributeKeys({ ...ATTRIBUTES, signal }, 100)).find((each) => each.key === key)?.count,
      await store.listAttributeValues({ ...ATTRIBUTES, signal, key }, 10),
    ];
    for (const isSummed of [false, true]) {
      if (isSummed) await sumAll(store);
      expect(await known("spans", "fresh")).toEqual([2, [{ value: "yes", count: 2 }]]);
      expect(await known("spans", "plan")).toEqual([3, [{ value: "pro", count: 3 }]]);
      expect(await known("logs", "shop")).toEqual([1, [{ value: "eu", count: 1 }]]);
      // Fields that have a column, too.
      const [[, ops], [, services]] = [await known("spans", "span.op"), await known("logs", "service.name")];
      expect(ops).toContainEqual({ value: "fresh.op", count: 2 });
      expect(services).toContainEqual({ value: "fresh service", count: 1 });
    }
  });

  test("keeps few values of a key that has many, the frequent ones", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(
      store,
      Array.from({ length: 400 }, (_, index) =>
        span(index, {
          attributes: JSON.stringify({ id: index % 4 === 0 ? "often" : `id ${index}`, half: index % 49 }),
        }),
      ),
    );
    await sumAll(store);
    const values = await store.listAttributeValues({ ...ATTRIBUTES, key: "id" }, 1_000);
    expect(values[0]).toEqual({ value: "often", count: 100 });
    expect(values).toHaveLength(50);
    expect(await store.listCutKeys(ATTRIBUTES)).toEqual(["id"]);
    expect(await store.listCutKeys({ ...ATTRIBUTES, projectIds: projects() })).toEqual([]);
  });

  test("rows that have just come wait for others", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0)]);
    expect(await store.rollUp(NOON + MINUTE_MS - 1)).toBe(false);
    // Those of spans, and those of transactions.
    expect(await store.rollUp(NOON + MINUTE_MS)).toBe(true);
    expect(await store.rollUp(NOON + MINUTE_MS)).toBe(true);
    expect(await store.rollUp(NOON + MINUTE_MS)).toBe(false);
  });

  test("sums each span once, also after the store was opened again, and those that come after the newest were deleted", async () => {
    await using database = await createDatabase();
    const first = await database.open();
    await appendSpans(first, [span(0), span(1)]);
    await sumAll(first);
    await appendSpans(first, [span(0), span(1), span(2)]);
    await first.close();

    const second = await database.open();
    expect((await second.sumSpans(ALL, WHOLE))[0]?.spans).toBe(3);
    await sumAll(second);
    expect((await second.sumSpans(ALL, WHOLE))[0]?.spans).toBe(3);
    await second.deletion.deleteProject(1);
    expect(await second.sumSpans(ALL, WHOLE)).toEqual([]);
    expect(await second.findTrace({ projectIds: projects(1), traceId: TRACE })).toBeNull();
    await second.close();

    const third = await database.open();
    await appendSpans(third, [span(3)]);
    expect((await third.sumSpans(ALL, WHOLE))[0]?.spans).toBe(1);
    await sumAll(third);
    expect((await third.sumSpans(ALL, WHOLE))[0]?.spans).toBe(1);
    expect((await third.listSpans({ projectIds: projects(1), traceId: TRACE, limit: 9 })).length).toBe(1);
  });

  test("what was asked while nothing was new is told of what came since, and what came since is summed", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1)]);
    await sumAll(store);
    const where = { kind: "all", parts: [] } as const;
    const ask = async () => [
      (await store.sumSpans(ALL, WHOLE))[0]?.spans,
      (await store.sumFoundSpans({ ...ALL, where }, { by: [], bucketMs: null, limit: 1 })).sums[0]?.spans,
      (await store.findTrace({ projectIds: projects(1), traceId: TRACE }))?.spans,
      (await store.listSpans({ projectIds: projects(1), traceId: TRACE, limit: 9 })).length,
    ];
    expect(await ask()).toEqual([2, 2, 2, 2]);
    await appendSpans(store, [span(2)]);
    expect(await ask()).toEqual([3, 3, 3, 3]);
    expect(await store.rollUp(LATER)).toBe(true);
    expect(await ask()).toEqual([3, 3, 3, 3]);
  });

  test("each span is in one hour once when two jobs sum at the same time", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1), span(2, { category: "transaction" })], [log(3)]);
    const sumTogether = () => Promise.all(Array.from({ length: 4 }, () => store.rollUp(LATER)));
    while ((await sumTogether()).includes(true));
    expect((await store.sumSpans(ALL, WHOLE))[0]?.spans).toBe(3);
  });

  test("what is deleted while it is being summed has no sums", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1, { projectId: 2 })]);
    const [isWritten] = await Promise.all([store.rollUp(LATER), store.deletion.deleteProject(1)]);
    if (!isWritten) await sumAll(store);
    expect(await store.sumSpans({ ...ALL, projectIds: projects(1) }, WHOLE)).toEqual([]);
    expect((await store.sumSpans({ ...ALL, projectIds: projects(2) }, WHOLE))[0]?.spans).toBe(1);
  });

  test("sums go with the day of their signal", async () => {
    await using store = await openStore(createDatabase);
    const day = Math.floor(NOON / DAY_MS) * DAY_MS;
    await appendSpans(
      store,
      [span(0), span(1, { category: "transaction" }), span(2, { receivedAt: NOON + DAY_MS })],
      [log(3)],
    );
    await sumAll(store);
    const before = (instant: number, signals: readonly string[]) =>
      toCutoffs((signal) => (signals.includes(signal) ? instant : 0));
    await store.dropBefore(before(day + DAY_MS, ["spans"]), LATER);
    expect((await store.sumSpans(ALL, WHOLE))[0]?.spans).toBe(2);
    await store.dropBefore(before(day + DAY_MS, ["transactions", "logs"]), LATER);
    expect((await store.sumSpans(ALL, WHOLE))[0]?.spans).toBe(1);
    expect(await store.listAttributeKeys({ ...ATTRIBUTES, signal: "logs" }, 9)).toEqual([]);
    expect((await store.findTrace({ projectIds: projects(1), traceId: TRACE }))?.spans).toBe(1);
  });
}
