import { expect, test } from "vitest";
import { ALWAYS } from "../../domain/search/condition.ts";
import { quantileOf } from "../../domain/spans/duration-histogram.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import type { SpanRow } from "../events/spans.ts";
import { type CreateEventDatabase, eventId, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, countSummed, log, span, spanId, TRACE } from "./span-fixture.ts";

const LATER = NOON + 10 * DAY_MS;
const ALL = { projectIds: projects(1), from: NOON - DAY_MS, to: NOON + 5 * DAY_MS };
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
  test("percentiles are within 3 %, however many pieces they are of", async () => {
    await using store = await openStore(createDatabase);
    const durations = Array.from({ length: 300 }, (_, index) => 50 + index ** 2 * 7);
    const spans = durations.map((durationUs, index) => span(index, { durationUs }));
    const shares = [0.5, 0.75, 0.95, 0.99];
    const batches = [spans.slice(0, 100), spans.slice(100, 200), spans.slice(200)];
    const quantiles = await askThrice(store, batches, async () => {
      const options = { by: [], bucketMs: null, limit: 1 };
      const { totals } = await store.sumFoundSpans({ ...ALL, where: ALWAYS }, options);
      return shares.map((share) => quantileOf(totals[0]?.durations ?? [], share) ?? 0);
    });
    for (const [index, share] of shares.entries()) {
      const exact = durations[Math.ceil(share * durations.length) - 1] ?? 0;
      expect(Math.abs((quantiles[index] ?? 0) - exact) / exact, `${share}`).toBeLessThan(0.03);
    }
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
    expect(await countSummed(second, ALL)).toBe(3);
    await sumAll(second);
    expect(await countSummed(second, ALL)).toBe(3);
    await second.deletion.deleteProject(1);
    expect(await countSummed(second, ALL)).toBe(0);
    expect(await second.findTrace({ projectIds: projects(1), traceId: TRACE })).toBeNull();
    await second.close();

    const third = await database.open();
    await appendSpans(third, [span(3)]);
    expect(await countSummed(third, ALL)).toBe(1);
    await sumAll(third);
    expect(await countSummed(third, ALL)).toBe(1);
    expect((await third.listSpans({ projectIds: projects(1), traceId: TRACE, limit: 9 })).length).toBe(1);
  });

  test("what was asked while nothing was new is told of what came since, and what came since is summed", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1)]);
    await sumAll(store);
    const ask = async () => [
      await countSummed(store, ALL),
      (await store.findTrace({ projectIds: projects(1), traceId: TRACE }))?.spans,
      (await store.listSpans({ projectIds: projects(1), traceId: TRACE, limit: 9 })).length,
    ];
    expect(await ask()).toEqual([2, 2, 2]);
    await appendSpans(store, [span(2)]);
    expect(await ask()).toEqual([3, 3, 3]);
    expect(await store.rollUp(LATER)).toBe(true);
    expect(await ask()).toEqual([3, 3, 3]);
  });

  test("each span is in one hour once when two jobs sum at the same time", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1), span(2, { category: "transaction" })], [log(3)]);
    const sumTogether = () => Promise.all(Array.from({ length: 4 }, () => store.rollUp(LATER)));
    while ((await sumTogether()).includes(true));
    expect(await countSummed(store, ALL)).toBe(3);
  });

  test("what is deleted while it is being summed has no sums", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1, { projectId: 2 })]);
    const [isWritten] = await Promise.all([store.rollUp(LATER), store.deletion.deleteProject(1)]);
    if (!isWritten) await sumAll(store);
    expect(await countSummed(store, { ...ALL, projectIds: projects(1) })).toBe(0);
    expect(await countSummed(store, { ...ALL, projectIds: projects(2) })).toBe(1);
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
    expect(await countSummed(store, ALL)).toBe(2);
    await store.dropBefore(before(day + DAY_MS, ["transactions", "logs"]), LATER);
    expect(await countSummed(store, ALL)).toBe(1);
    expect(await store.listAttributeKeys({ ...ATTRIBUTES, signal: "logs" }, 9)).toEqual([]);
    expect((await store.findTrace({ projectIds: projects(1), traceId: TRACE }))?.spans).toBe(1);
  });
}
