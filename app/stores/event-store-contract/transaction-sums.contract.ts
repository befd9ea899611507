import { expect, test } from "vitest";
import { ALWAYS } from "../../domain/search/condition.ts";
import { createRandom } from "../../domain/search/fixtures/random.ts";
import { apdexOf } from "../../domain/spans/apdex.ts";
import { quantileOf } from "../../domain/spans/duration-histogram.ts";
import { hasFailed } from "../../domain/spans/span-failure.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import type { SpanRow } from "../events/spans.ts";
import { MAX_TRANSACTION_NAMES, type TransactionFilter } from "../events/transaction-sums.ts";
import { type CreateEventDatabase, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, span } from "./span-fixture.ts";

const LATER = NOON + 10 * DAY_MS;
const ALL: TransactionFilter = { projectIds: projects(1), from: NOON - DAY_MS, to: NOON + DAY_MS, environments: [] };
const WHOLE = { bucketMs: null, limit: 100 };
const SEGMENT_AND_STATUS = [
  { name: "segment", isTag: false },
  { name: "status", isTag: false },
];

function transaction(sequence: number, segment: string, change: Partial<SpanRow> = {}): SpanRow {
  return span(sequence, { isSegment: true, op: "http.server", segment, name: segment, nameGroup: null, ...change });
}

function toSorted(histogram: Array<[bucket: number, weight: number]>) {
  return histogram.sort(([one, a], [other, b]) => one - other || a - b);
}

async function sumAll(store: EventStore, now = LATER): Promise<void> {
  while (await store.rollUp(now));
}

/** Before the rows are summed, when half of them are, and when all are. */
async function askThrice<Answer>(store: EventStore, spans: readonly SpanRow[], ask: () => Promise<Answer>) {
  const half = Math.ceil(spans.length / 2);
  await appendSpans(store, spans.slice(0, half));
  await sumAll(store);
  await appendSpans(store, spans.slice(half));
  const between = await ask();
  await sumAll(store);
  expect(await ask()).toEqual(between);
  return between;
}

export function describeTransactionSums(createDatabase: CreateEventDatabase): void {
  test("sums of transactions say what counting their rows says, by the minute and by the hour", async () => {
    await using store = await openStore(createDatabase);
    const statuses = ["ok", "internal_error", "cancelled", null, "unknown", "not_found"];
    const rows = Array.from({ length: 240 }, (_, index) =>
      transaction(index, index % 3 === 0 ? "GET /cart/17" : `GET /cart/${index}`, {
        startedUs: (NOON + (index % 90) * MINUTE_MS) * 1000,
        durationUs: 1_000 + ((index * 7_919) % 2_000_000),
        status: statuses[index % statuses.length] ?? null,
        sampleRate: index % 4 === 0 ? 0.25 : null,
      }),
    );
    const options = { bucketMs: HOUR_MS, limit: 10 };
    const byHour = await askThrice(store, rows, () => store.sumTransactions(ALL, options));
    const byMinute = await store.sumTransactions({ ...ALL, to: ALL.to - MINUTE_MS }, options);
    expect(byMinute).toEqual(byHour);
    expect(byHour.sums.map(({ name, op, at }) => [name, op, at])).toEqual([
      ["GET /cart/?", "http.server", NOON],
      ["GET /cart/?", "http.server", NOON + HOUR_MS],
    ]);
    for (const sum of byHour.sums) {
      const own = rows.filter(({ startedUs }) => Math.floor(startedUs / 1000 / HOUR_MS) * HOUR_MS === sum.at);
      const weightOf = (of: readonly SpanRow[]) => of.reduce((all, { sampleRate }) => all + 1 / (sampleRate ?? 1), 0);
      const time = own.reduce((all, { durationUs, sampleRate }) => all + durationUs / (sampleRate ?? 1), 0);
      expect(sum.spans).toBe(own.length);
      expect(sum.weight).toBe(weightOf(own));
      expect(sum.failedWeight).toBe(weightOf(own.filter(({ status }) => hasFailed(status))));
      expect(Math.abs(sum.totalUs - time)).toBeLessThan(1);
      const sorted = own
        .flatMap(({ durationUs, sampleRate }) => new Array<number>(1 / (sampleRate ?? 1)).fill(durationUs))
        .sort((one, other) => one - other);
      for (const share of [0.5, 0.95]) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        expect(Math.abs((quantileOf(sum.durations, share) ?? 0) - exact) / exact).toBeLessThan(0.03);
      }
      const near = sorted.filter((us) => us <= 300_000).length;
      const far = sorted.filter((us) => us > 300_000 && us <= 1_200_000).length;
      expect(apdexOf(sum.durations, 300)).toBeCloseTo((near + far / 2) / sorted.length, 1);
    }
  });

  test("tells the spans of one transaction apart by when they began and how long they took", async () => {
    await using store = await openStore(createDatabase);
    const random = createRandom(48);
    const rows = Array.from({ length: 300 }, (_, index) =>
      transaction(index, index % 2 === 0 ? "GET /a" : "GET /b", {
        startedUs: (NOON + Math.floor(random() * 2 * DAY_MS)) * 1000,
        durationUs: 1_000 + Math.floor(random() ** 4 * 9_000_000),
        sampleRate: index % 3 === 0 ? 0.5 : null,
        status: index % 5 === 0 ? "internal_error" : "ok",
      }),
    );
    const place = { ...ALL, to: NOON + 2 * DAY_MS, transaction: { name: "GET /a", op: "http.server" } };
    const unitsFrom = NOON + DAY_MS;
    const units = [HOUR_MS, 10 * MINUTE_MS];
    const found = await askThrice(store, rows, async () => {
      const lists = units.map((unitMs) => store.listTransactionCells(place, { unitMs, unitsFrom }));
      return (await Promise.all(lists)).map((cells) =>
        cells.sort((one, other) => one.at - other.at || one.bucket - other.bucket),
      );
    });
    for (const [index, cells] of found.entries()) {
      const unitMs = units[index] as number;
      const own = rows.filter(({ segment }) => segment === "GET /a");
      const atOf = ({ startedUs }: SpanRow) =>
        startedUs < unitsFrom * 1000
          ? place.from
          : unitsFrom + Math.floor((startedUs / 1000 - unitsFrom) / unitMs) * unitMs;
      const byCell = Map.groupBy(own, (row) => `${atOf(row)} ${Math.floor(Math.log(row.durationUs) / Math.log(1.06))}`);
      expect(new Set(cells.map(({ at, bucket }) => `${at} ${bucket}`))).toEqual(new Set(byCell.keys()));
      for (const { at, bucket, ...cell } of cells) {
        const spans = byCell.get(`${at} ${bucket}`) ?? [];
        const weigh = (some: readonly SpanRow[]) => some.reduce((sum, row) => sum + 1 / (row.sampleRate ?? 1), 0);
        expect(cell).toEqual({
          spans: spans.length,
          weight: weigh(spans),
          failedWeight: weigh(spans.filter(({ status }) => status === "internal_error")),
          totalUs: spans.reduce((sum, row) => sum + row.durationUs / (row.sampleRate ?? 1), 0),
        });
      }
    }
    const byHour = { unitMs: HOUR_MS, unitsFrom };
    expect(await store.listTransactionCells({ ...place, projectIds: projects() }, byHour)).toEqual([]);
    const ofHours = found[0] ?? [];
    const fromBucket = ofHours[Math.floor(ofHours.length / 2)]?.bucket ?? 0;
    const long = await store.listTransactionCells(place, { ...byHour, fromBucket });
    expect(long.sort((one, other) => one.at - other.at || one.bucket - other.bucket)).toEqual(
      ofHours.filter(({ bucket }) => bucket >= fromBucket),
    );
    const within = [
      { from: unitsFrom, to: unitsFrom + HOUR_MS },
      { from: unitsFrom + 3 * HOUR_MS, to: unitsFrom + 5 * HOUR_MS },
    ];
    const isWithin = ({ startedUs }: SpanRow) =>
      within.some(({ from, to }) => startedUs >= from * 1000 && startedUs < to * 1000);
    const spans = await store.findSpans(
      { ...place, within, where: ALWAYS },
      { order: "slowest", cursor: null, limit: 100 },
    );
    expect(spans.spans.map(({ durationUs }) => durationUs)).toEqual(
      rows
        .filter(isWithin)
        .map(({ durationUs }) => durationUs)
        .sort((a, b) => b - a)
        .slice(0, 100),
    );
  });

  test("sums of days, hours and minutes say the same as the rows, also when spans come late", async () => {
    await using store = await openStore(createDatabase);
    const first = Math.floor(NOON / DAY_MS) * DAY_MS;
    const random = createRandom(47);
    const at = (ms: number) => (first + Math.floor(random() * ms)) * 1000;
    const rows = Array.from({ length: 300 }, (_, index) => {
      const change = {
        startedUs: at(4 * DAY_MS),
        durationUs: 1_000 + index * 50,
        sampleRate: index % 3 === 0 ? 0.5 : null,
      };
      return index % 3 === 2
        ? span(index, { segment: "GET /a", op: "db", ...change })
        : transaction(index, index % 2 === 0 ? "GET /a" : "GET /b", {
            ...change,
            status: index % 5 === 0 ? "internal_error" : "ok",
          });
    });
    const ranges = [0, 1].map((index) => {
      const [one = 0, other = 0] = [at(4 * DAY_MS), at(4 * DAY_MS)].map((us) => us / 1000).sort((a, b) => a - b);
      const unit = index % 2 === 0 ? HOUR_MS : MINUTE_MS;
      return { ...ALL, from: Math.floor(one / unit) * unit, to: Math.ceil(other / unit) * unit };
    });
    const all = { ...ALL, from: first, to: first + 4 * DAY_MS };
    const ask = async () => {
      const answers: unknown[] = [await store.sumTransactions(all, { ...WHOLE, rankFrom: first + 2 * DAY_MS })];
      for (const range of ranges) {
        const rankFrom = range.from + Math.floor((range.to - range.from) / 2 / HOUR_MS) * HOUR_MS;
        answers.push(
          await store.sumTransactions(range, { ...WHOLE, rankFrom }),
          await store.sumTransactions(range, { bucketMs: 3 * HOUR_MS, limit: 10 }),
          await store.sumTransactionOps({ ...range, transaction: { name: "GET /a", op: "http.server" } }),
          await store.sumFoundSpans({ ...range, where: ALWAYS }, { by: SEGMENT_AND_STATUS, bucketMs: null, limit: 10 }),
          await store.sumFoundSpans({ ...range, where: ALWAYS }, { by: [], bucketMs: 3 * HOUR_MS, limit: 1 }),
        );
      }
      return JSON.parse(JSON.stringify(answers, (key, value) => (key === "durations" ? toSorted(value) : value)));
    };
    await appendSpans(store, rows);
    const unsummed = await ask();
    await store.deletion.deleteProject(1);
    expect(
      await askThrice(
        store,
        rows.map((row) => ({ ...row, sequence: row.sequence + 1_000 })),
        ask,
      ),
    ).toEqual(unsummed);
    // With the next hour, what came late is merged, too.
    await appendSpans(store, [transaction(5_000, "GET /a", { startedUs: (first + 5 * DAY_MS) * 1000 })]);
    await sumAll(store, LATER + DAY_MS);
    expect(await ask()).toEqual(unsummed);
  });

  test("transactions are told apart by project, name and op, those of most time first", async () => {
    await using store = await openStore(createDatabase);
    const rows = [
      transaction(0, "GET /", { durationUs: 9_000, environment: "production" }),
      transaction(1, "GET /", { durationUs: 30_000, op: "pageload" }),
      transaction(2, "GET /", { projectId: 2, durationUs: 20_000 }),
      transaction(3, "GET /old", { durationUs: 500_000, startedUs: (NOON - 3 * HOUR_MS) * 1000 }),
      // The vital of a page is no transaction, nor is a span within one.
      transaction(4, "GET /", { op: "ui.interaction.click" }),
      span(5, { segment: "GET /" }),
    ];
    const filter = { ...ALL, projectIds: projects(1, 2) };
    const found = await askThrice(store, rows, () =>
      store.sumTransactions(filter, { bucketMs: null, limit: 2, rankFrom: NOON - HOUR_MS }),
    );
    expect(found).toMatchObject({
      hasMore: true,
      sums: [
        { projectId: 1, name: "GET /", op: "pageload", at: null },
        { projectId: 2, name: "GET /", op: "http.server", spans: 1 },
      ],
    });
    const namesOf = async (change: Partial<TransactionFilter>) =>
      (await store.sumTransactions({ ...filter, ...change }, WHOLE)).sums.map(({ name, op }) => `${name} ${op}`);
    expect(await namesOf({ environments: ["production"] })).toEqual(["GET / http.server"]);
    expect(await namesOf({ text: "OLD" })).toEqual(["GET /old http.server"]);
    expect(await namesOf({ transaction: { name: "GET /", op: "pageload" } })).toEqual(["GET / pageload"]);
    expect(await namesOf({ projectIds: projects() })).toEqual([]);
  });

  test("spans of a transaction are summed by op, those without ids in its name together", async () => {
    await using store = await openStore(createDatabase);
    const rows = [
      span(0, { segment: "GET /cart/1", op: "db", durationUs: 4_000, sampleRate: 0.5 }),
      span(1, { segment: "GET /cart/2", op: "db", durationUs: 2_000 }),
      span(2, { segment: "GET /cart/2", op: "http.client", durationUs: 3_000 }),
      span(3, { segment: "GET /", op: "http.client" }),
      transaction(4, "GET /cart/2"),
    ];
    const filter = { ...ALL, transaction: { name: "GET /cart/?", op: "http.server" } };
    expect(await askThrice(store, rows, () => store.sumTransactionOps(filter))).toEqual([
      { op: "db", spans: 2, weight: 3, totalUs: 10_000 },
      { op: "http.client", spans: 1, weight: 1, totalUs: 3_000 },
    ]);
  });

  test("web vitals are read from every form in which SDKs send them, and rated by page", async () => {
    await using store = await openStore(createDatabase);
    const page = (sequence: number, attributes: object, change: Partial<SpanRow> = {}) =>
      transaction(sequence, "/cart/:id", { op: "pageload", attributes: JSON.stringify(attributes), ...change });
    const rows = [
      page(0, { "measurements.lcp": 2_400, "measurements.fcp": 1_801, "measurements.cls": 0.3 }),
      page(1, { "browser.web_vital.lcp.value": { type: "double", value: 4_001.5 } }, { sampleRate: 0.5 }),
      page(2, { "browser.web_vital.ttfb.value": 90.5, "measurements.lcp": "soon", "measurements.fcp": -1 }),
      page(3, {}, { op: "ui.interaction.click", rest: '{"measurements":{"inp":{"value":250,"unit":"millisecond"}}}' }),
      page(4, { "measurements.lcp": 2_500 }, { op: "http.server" }),
      page(5, { "measurements.lcp": 3_000 }, { projectId: 2 }),
    ];
    const { sums } = await askThrice(store, rows, () => store.sumVitals(ALL, { limit: 10 }));
    const rated = sums.map(({ vital, spans, weight, goodWeight, poorWeight }) => [
      vital,
      spans,
      weight,
      goodWeight,
      poorWeight,
    ]);
    expect(rated).toEqual([
      ["cls", 1, 1, 0, 1],
      ["fcp", 1, 1, 0, 0],
      ["inp", 1, 1, 0, 0],
      ["lcp", 2, 3, 1, 2],
      ["ttfb", 1, 1, 1, 0],
    ]);
    expect(sums.every(({ name, projectId }) => name === "/cart/:id" && projectId === 1)).toBe(true);
    const cls = quantileOf(sums[0]?.values ?? [], 0.75) ?? 0;
    expect(Math.abs(cls / 1_000_000 - 0.3)).toBeLessThan(0.01);
  });

  test("a project has a bounded number of names, and what is beyond has none; other projects lose nothing", async () => {
    await using store = await openStore(createDatabase);
    const letters = (index: number) => [...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("");
    await appendSpans(store, [transaction(0, "GET /known"), transaction(1, "GET /known")]);
    await sumAll(store);
    const made = Array.from({ length: MAX_TRANSACTION_NAMES + 9 }, (_, index) =>
      transaction(10 + index, `made up ${letters(index)}`),
    );
    await appendSpans(store, [...made, transaction(5_000, "GET /", { projectId: 2 })]);
    await sumAll(store);
    await appendSpans(store, [transaction(6_000, "GET /known"), transaction(6_001, "made up at last")]);
    await sumAll(store);
    const of = async (name: string | null, projectId = 1) =>
      (
        await store.sumTransactions(
          { ...ALL, projectIds: projects(projectId), transaction: { name, op: "http.server" } },
          WHOLE,
        )
      ).sums[0]?.spans;
    expect(await of("GET /known")).toBe(3);
    expect(await of(null)).toBe(11);
    expect(await of("made up at last")).toBeUndefined();
    expect(await of("GET /", 2)).toBe(1);
  });

  test("sums go with their project, and with the day on which their rows came", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [
      transaction(0, "GET /", { category: "transaction" }),
      transaction(1, "GET /", { category: "transaction", projectId: 2 }),
    ]);
    await sumAll(store);
    const left = async () =>
      (await store.sumTransactions({ ...ALL, projectIds: projects(1, 2) }, WHOLE)).sums.map(
        ({ projectId }) => projectId,
      );
    expect(await left()).toEqual([1, 2]);
    await store.deletion.deleteProject(2);
    expect(await left()).toEqual([1]);
    const cutoffs = toCutoffs((signal) => (signal === "transactions" ? NOON + 2 * DAY_MS : 0));
    await store.dropBefore(cutoffs, LATER);
    expect(await left()).toEqual([]);
  });
}
