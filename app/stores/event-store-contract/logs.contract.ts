import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import type { Condition, FieldTest, ValueTest } from "../../domain/search/condition.ts";
import { createRandom, pick, pickSome } from "../../domain/search/fixtures/random.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { printValue, toSearchValue } from "../../domain/search/print-search.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import { toLineId } from "../events/line-id.ts";
import type { LogFilter, LogKey, LogPlace, LogRow, StoredLog } from "../events/logs.ts";
import { toSearchedLog } from "../events/searched-log.ts";
import { type CreateEventDatabase, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, log, spanId, TRACE } from "./span-fixture.ts";

const ALL = { projectIds: projects(1), from: NOON - 60 * MINUTE_MS, to: NOON + 60 * MINUTE_MS };
const PAGE = { limit: 100, budgetMs: Number.POSITIVE_INFINITY };
const ATTRIBUTE: Condition = { kind: "test", field: "plan", isTag: true, isNegated: true, test: { kind: "exists" } };
const at = (minutes: number) => ({ occurredUs: (NOON + minutes * MINUTE_MS) * 1000 });

export function describeLogs(createDatabase: CreateEventDatabase): void {
  test("pages through lines, newest first, also those of one instant", async () => {
    await using store = await openStore(createDatabase);
    const logs = [
      log(0, at(-30)),
      ...[1, 2, 3, 4].map((sequence) => log(sequence)),
      log(5, { ...at(3), projectId: 2 }),
    ];
    await appendSpans(store, [], logs);
    const bodies: string[] = [];
    let before: LogPlace | undefined;
    do {
      const { lines, next } = await store.findLogs(ALL, { ...PAGE, limit: 2, ...(before && { before }) });
      bodies.push(...lines.map(({ body }) => body));
      before = next ?? undefined;
    } while (before);
    expect(bodies).toEqual(["line 4", "line 3", "line 2", "line 1", "line 0"]);
    const { lines } = await store.findLogs(ALL, PAGE);
    const second = lines[3] as StoredLog;
    const later = await store.findLogs(ALL, { ...PAGE, after: second, limit: 2 });
    expect(later.lines.map(({ body }) => body)).toEqual(["line 2", "line 3"]);
    expect(await store.getLog(ALL.projectIds, second.id)).toMatchObject({ body: "line 1" });
    expect(await store.getLog(projects(2), second.id)).toBeNull();
    expect((await store.findLogs({ ...ALL, projectIds: projects() }, PAGE)).lines).toEqual([]);
  });

  test("finds a line by its id and pages from it, wherever the store has put it", async () => {
    const twins = [log(1), log(1), log(1)];
    const logs = [log(0), ...twins, log(1, { service: "pay" }), log(2, at(-1))];
    const ids: string[][] = [];
    for (const before of [[], [log(0, { projectId: 3 }), log(1, { projectId: 3 })]]) {
      await using store = await openStore(createDatabase);
      await appendSpans(store, [], [...before, ...logs]);
      const { lines } = await store.findLogs(ALL, PAGE);
      ids.push(lines.map(({ id }) => id));
      for (const line of lines) {
        const found = await store.getLog(ALL.projectIds, line.id);
        expect({ ...found, ordinal: line.ordinal }).toEqual(line);
      }
      const [pay] = lines as [StoredLog];
      const older = await store.findLogs(ALL, { ...PAGE, before: { id: pay.id } });
      expect(older.lines).toEqual(lines.slice(1));
      // From before a rebuild: another row has that number now.
      const stale = await store.findLogs(ALL, { ...PAGE, before: { id: pay.id, ordinal: pay.ordinal + 1 } });
      expect(stale.lines).toEqual(lines.slice(1));
      const twin = lines[2] as StoredLog;
      expect((await store.findLogs(ALL, { ...PAGE, before: twin })).lines).toEqual(lines.slice(3));
      expect((await store.findLogs(ALL, { ...PAGE, after: twin })).lines).toEqual(lines.slice(0, 2).toReversed());
    }
    expect(ids[1]).toEqual(ids[0]);
    expect(new Set(ids[0]).size).toBe(4);
  });

  test("counts lines that came in a time and say an earlier one", async () => {
    await using store = await openStore(createDatabase);
    const came = (minutes: number) => ({ receivedAt: NOON + minutes * MINUTE_MS });
    await appendSpans(
      store,
      [],
      [
        log(0, { ...at(-60), ...came(-30) }),
        log(1, { ...at(-90), ...came(0) }),
        log(2, { occurredUs: 0, ...came(5), environment: "staging" }),
        log(3, { ...at(-90), ...came(0), projectId: 2 }),
        log(4, { ...at(-5), ...came(0) }),
        // A little late, as every line is.
        log(5, { ...at(-10.5), ...came(-10) }),
        log(6, { ...at(-12), ...came(-10) }),
      ],
    );
    const from = NOON - 10 * MINUTE_MS;
    const count = (change: Partial<LogFilter> = {}) =>
      store.countLateLines({ projectIds: projects(1), from, ...change }, MINUTE_MS);
    expect(await count()).toEqual({ count: 3, earliest: 0 });
    expect(await count({ projectIds: projects(1, 2) })).toEqual({ count: 4, earliest: 0 });
    expect(await count({ projectIds: projects(2) })).toEqual({ count: 1, earliest: NOON - 90 * MINUTE_MS });
    expect(await count({ environments: ["staging"] })).toEqual({ count: 1, earliest: 0 });
    expect(await count({ from: NOON + 6 * MINUTE_MS })).toEqual({ count: 0, earliest: null });
    expect(await count({ projectIds: projects() })).toEqual({ count: 0, earliest: null });
  });

  test("a line that is gone stands for its instant, and text that is no id for nothing", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [], [log(0, at(-1)), log(1), log(2, at(1))]);
    const gone = toLineId(log(9));
    expect(await store.getLog(ALL.projectIds, gone)).toBeNull();
    expect(await store.getLog(ALL.projectIds, "18.4")).toBeNull();
    const bodies = async (place: { before?: LogPlace; after?: LogPlace }) =>
      (await store.findLogs(ALL, { ...PAGE, ...place })).lines.map(({ body }) => body);
    expect(await bodies({ before: { id: gone } })).toEqual(["line 1", "line 0"]);
    expect(await bodies({ before: { id: gone, ordinal: 1 } })).toEqual(["line 1", "line 0"]);
    expect(await bodies({ after: { id: gone } })).toEqual(["line 1", "line 2"]);
    expect(await bodies({ before: at(0) })).toEqual(["line 0"]);
    expect(await bodies({ after: at(0) })).toEqual(["line 1", "line 2"]);
    const near = await store.listLogsAt(ALL.projectIds, NOON * 1000, 10);
    expect(near.map(({ body }) => body)).toEqual(["line 1"]);
    expect(await store.listLogsAt(projects(2), NOON * 1000, 10)).toEqual([]);
  });

  test("lists the lines of a run of records, the last one first", async () => {
    await using store = await openStore(createDatabase);
    const logs = [3, 4, 5, 6, 7].map((sequence) => log(sequence, at(-sequence)));
    await appendSpans(store, [], [...logs, log(6, { projectId: 2 }), log(6, { receivedAt: NOON - 1, body: "old" })]);
    const range = { sequences: [{ from: 4, to: 7 }], receivedFrom: NOON, limit: 10 };
    const bodies = async (change: object, filter = { projectIds: projects(1) }) =>
      (await store.listNewLogs(filter, { ...range, ...change })).map(({ body }) => body);
    expect(await bodies({})).toEqual(["line 6", "line 5", "line 4"]);
    expect(await bodies({ limit: 2 })).toEqual(["line 6", "line 5"]);
    const parts = [
      { from: 3, to: 4 },
      { from: 6, to: 8 },
    ];
    expect(await bodies({ sequences: parts })).toEqual(["line 7", "line 6", "line 3"]);
    expect(await bodies({ sequences: [] })).toEqual([]);
    expect(await bodies({}, { projectIds: projects() })).toEqual([]);
  });

  test("says how far it has looked when its time is over, and goes on from there", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [], [log(0, at(-59)), log(1, at(59.5))]);
    const first = await store.findLogs(ALL, { ...PAGE, budgetMs: -1 });
    expect(first.lines.map(({ body }) => body)).toEqual(["line 1"]);
    expect(first.readUpTo).toBeLessThan(ALL.to);
    expect(first.readUpTo).toBeGreaterThan(ALL.from);
    const rest = await store.findLogs(ALL, { ...PAGE, before: first.next as LogPlace });
    expect(rest.lines.map(({ body }) => body)).toEqual(["line 0"]);
    expect(rest).toMatchObject({ next: null, readUpTo: null });
    const forward = await store.findLogs(ALL, { ...PAGE, budgetMs: -1, after: { occurredUs: 0 } });
    const end = await store.findLogs(ALL, { ...PAGE, after: forward.next as LogPlace });
    expect([...forward.lines, ...end.lines].map(({ body }) => body)).toEqual(["line 0", "line 1"]);
  });

  test("counts by bucket and severity, and by facets", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(
      store,
      [],
      [
        log(0, { service: "shop", severity: 17, environment: "production" }),
        log(1, { service: "shop", severity: 20 }),
        log(2, { service: "pay", ...at(10), logger: "app" }),
        log(3, { service: "pay", ...at(10), severity: 1, environment: "staging" }),
      ],
    );
    const options = { bucketMs: 10 * MINUTE_MS, budgetMs: Number.POSITIVE_INFINITY };
    const { buckets, facets, countedFrom } = await store.summarizeLogs(ALL, options);
    expect(countedFrom).toBe(ALL.from);
    expect(buckets.toSorted((a, b) => a.at - b.at || a.count - b.count || (a.severity < b.severity ? -1 : 1))).toEqual([
      { at: NOON, severity: "error", count: 2 },
      { at: NOON + 10 * MINUTE_MS, severity: "info", count: 1 },
      { at: NOON + 10 * MINUTE_MS, severity: "trace", count: 1 },
    ]);
    expect(facets).toEqual({
      service: [
        { value: "pay", count: 2 },
        { value: "shop", count: 2 },
      ],
      logger: [{ value: "app", count: 1 }],
      release: [],
      environment: [
        { value: "production", count: 1 },
        { value: "staging", count: 1 },
      ],
      serverAddress: [],
    });
    const some = await store.summarizeLogs({ ...ALL, environments: ["staging"] }, options);
    expect(some.buckets.map(({ count }) => count)).toEqual([1]);
    const late = await store.summarizeLogs({ ...ALL, where: ATTRIBUTE }, { ...options, budgetMs: -1 });
    expect(late.countedFrom).toBeGreaterThan(ALL.from);
  });

  test("counts lines by fields and attributes, the most frequent first", async () => {
    await using store = await openStore(createDatabase);
    const plan = (name: string) => JSON.stringify({ plan: name });
    await appendSpans(
      store,
      [],
      [
        log(0, { body: "paid", service: "pay", attributes: plan("pro") }),
        log(1, { body: "paid", service: "pay", attributes: plan("free") }),
        log(2, {
          body: "refused",
          service: "pay",
          attributes: plan("pro"),
          ...at(30),
        }),
        log(3, { body: "x".repeat(600), service: null, attributes: null }),
        log(4, { projectId: 2, body: "paid" }),
      ],
    );
    const options = { limit: 10, budgetMs: Number.POSITIVE_INFINITY };
    const count = async (by: readonly LogKey[], change: Partial<LogFilter> = {}) =>
      (await store.countLogs({ ...ALL, projectIds: projects(1), ...change }, { ...options, by })).groups.map(
        ({ group, count: lines }) => [...group, lines],
      );
    const body = { name: "body", isTag: false };
    expect(await count([body])).toEqual([
      ["paid", 2],
      ["refused", 1],
      ["x".repeat(500), 1],
    ]);
    expect(await count([{ name: "service", isTag: false, unnamed: new Map([[1, "shop"]]) }])).toEqual([
      ["pay", 3],
      ["shop", 1],
    ]);
    expect(
      await count([
        { name: "service", isTag: false },
        { name: "plan", isTag: true },
      ]),
    ).toEqual([
      ["pay", "pro", 2],
      ["pay", "free", 1],
      [null, null, 1],
    ]);
    expect(await count([])).toEqual([[4]]);
    expect(await count([{ name: "projectId", isTag: false }], { projectIds: projects(1, 2) })).toEqual([
      ["1", 4],
      ["2", 1],
    ]);
    expect(await count([body], { from: NOON - 10, to: NOON - 5 })).toEqual([]);
    expect(await count([body], { projectIds: projects() })).toEqual([]);
    const late = await store.countLogs({ ...ALL, where: ATTRIBUTE }, { ...options, by: [body], budgetMs: -1 });
    expect(late.countedFrom).toBeGreaterThan(ALL.from);
  });

  test("sums the numbers of attributes for each group", async () => {
    await using store = await openStore(createDatabase);
    const random = createRandom(20261130);
    const tag = (name: string): LogKey => ({ name, isTag: true });
    const values = [1, 7.5, "12", 250, -3, 0, "1e3", "many", null, "NaN", 1e300];
    const rows = Array.from({ length: 80 }, () => ({
      // Some are in another piece of time.
      occurredUs: (NOON + Math.floor(random() * 40) * MINUTE_MS) * 1000,
      plan: pick(random, ["pro", "free", null]),
      value: pick(random, values),
    }));
    const toAttributes = ({ plan, value }: (typeof rows)[number]) =>
      JSON.stringify({ ...(plan !== null && { plan }), ...(value !== null && { "cart.value": value }) });
    await appendSpans(
      store,
      [],
      rows.map((row, sequence) => log(sequence, { occurredUs: row.occurredUs, attributes: toAttributes(row) })),
    );
    const toNumbers = (of: typeof rows) =>
      of.map(({ value }) => Number(value ?? Number.NaN)).filter((value) => Math.abs(value) <= 1e200);
    const count = async (by: readonly LogKey[]) => {
      const numbers = [tag("cart.value"), tag("nothing")];
      const { groups } = await store.countLogs(ALL, { by, numbers, limit: 10, budgetMs: Number.POSITIVE_INFINITY });
      return groups.map(({ group, count, numbers: [sum, none] }) => ({
        group,
        count,
        none,
        total: sum?.total,
        weight: sum?.weight,
        values: sum?.values.toSorted(([one], [other]) => one - other).map(([value, weight]) => `${value} ${weight}`),
      }));
    };
    const toSum = (of: typeof rows) => {
      const sums = Map.groupBy(toNumbers(of), (value) => value);
      return {
        count: of.length,
        none: undefined,
        total: toNumbers(of).reduce((total, value) => total + value, 0),
        weight: toNumbers(of).length,
        values: [...sums].sort(([one], [other]) => one - other).map(([value, same]) => `${value} ${same.length}`),
      };
    };
    expect(await count([])).toEqual([{ group: [], ...toSum(rows) }]);
    const groups = await count([tag("plan")]);
    expect(groups.map(({ group: [plan] }) => plan ?? "").sort()).toEqual(["", "free", "pro"]);
    for (const group of groups)
      expect(group).toEqual({ group: group.group, ...toSum(rows.filter(({ plan }) => plan === group.group[0])) });

    // Numbers that lie close together have their mean. The least and the largest are known as they are.
    const close = [100, 100.5, 101, 101.5, 2_000, 2_010].map((size, index) =>
      log(100 + index, { occurredUs: NOON * 1000, projectId: 2, attributes: JSON.stringify({ size }) }),
    );
    await appendSpans(store, [], close);
    const asked = { by: [], numbers: [tag("size")], limit: 1, budgetMs: Number.POSITIVE_INFINITY };
    const found = await store.countLogs({ ...ALL, projectIds: projects(2) }, asked);
    const [sum] = found.groups[0]?.numbers ?? [];
    expect(sum).toMatchObject({ weight: 6, min: 100, max: 2_010 });
    expect(sum?.values.toSorted(([one], [other]) => one - other)).toEqual([
      [100.75, 4],
      [2_005, 2],
    ]);
  });

  test("finds a list by each of its values", async () => {
    await using store = await openStore(createDatabase);
    const logs = [["admin", 7], ["admins"], "admin", null].map((roles, sequence) =>
      log(sequence, { occurredUs: NOON * 1000, attributes: JSON.stringify({ roles }) }),
    );
    await appendSpans(store, [], logs);
    const roles = (test: ValueTest): FieldTest => ({
      kind: "test",
      field: "roles",
      isTag: true,
      isNegated: false,
      test,
    });
    expect(await findSequences(store, roles({ kind: "in", values: ["admin"] }))).toEqual([0, 2]);
    expect(await findSequences(store, { ...roles({ kind: "in", values: ["admin"] }), field: "*" })).toEqual([0, 2]);
    expect(await findSequences(store, roles({ kind: "compare", sign: ">", value: 6 }))).toEqual([0]);
    expect(await findSequences(store, roles({ kind: "like", parts: ["admin", ANY_TEXT] }))).toEqual([0, 1, 2]);
  });

  test("finds the lines that a condition means", async () => {
    await using store = await openStore(createDatabase);
    const random = createRandom(20261123);
    const logs = Array.from({ length: 60 }, (_, sequence) => makeLog(random, sequence));
    await appendSpans(store, [], logs);
    for (let round = 0; round < 200; round++) {
      const where = makeCondition(random, 2);
      expect(await findSequences(store, where), JSON.stringify(where)).toEqual(matchSequences(logs, where));
    }
  });

  test("finds the lines that a search means, as it is typed", async () => {
    await using store = await openStore(createDatabase);
    const random = createRandom(34);
    const logs = Array.from({ length: 60 }, (_, sequence) => makeLog(random, sequence));
    await appendSpans(store, [], logs);
    let foundSome = 0;
    for (let round = 0; round < 300; round++) {
      const search = makeSearch(random, 2);
      const { tree, errors } = parseSearch(search);
      const { condition, errors: unbound } = bindSearch(tree, LOG_VOCABULARY, NOON);
      expect([...errors, ...unbound], search).toEqual([]);
      const meant = matchSequences(logs, condition);
      expect(await findSequences(store, condition), search).toEqual(meant);
      if (meant.length > 0 && meant.length < logs.length) foundSome++;
    }
    expect(foundSome).toBeGreaterThan(100);
  });
}

async function findSequences(store: EventStore, where: Condition): Promise<number[]> {
  // One second is read in one piece.
  const { lines } = await store.findLogs({ ...ALL, from: NOON, to: NOON + 1_000, where }, PAGE);
  return lines.map(({ sequence }) => sequence).sort((a, b) => a - b);
}

function matchSequences(logs: readonly LogRow[], where: Condition): number[] {
  return logs.filter((row) => matchesCondition(where, toSearchedLog(row))).map(({ sequence }) => sequence);
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
const NUMBERS = [
  17,
  0.5,
  -3,
  1e21,
  1e-7,
  "17",
  "017",
  "+2.5e3",
  " 17",
  "17 ",
  "1_7",
  "0x11",
  "1e999",
  "NaN",
  "inf",
  "17\n",
  "١٧",
];
const KEYS = ["plan", "a.b", "a/b", "~x", 'q"uote', "$.x", "ключ"];
const FIELDS = [
  "body",
  "service",
  "logger",
  "environment",
  "release",
  "userId",
  "spanId",
  "severity",
  "traceId",
  "template",
  "serverAddress",
  "replayId",
  "origin",
  "sdk",
  "sdkVersion",
  "text",
];
const RELEASES = ["1.2.3", "shop@1.10.0", "shop@1.9.0-rc.1", "2026.5", "no version"];

function makeLog(random: () => number, sequence: number): LogRow {
  const text = () => (random() < 0.3 ? null : pick(random, TEXTS));
  const value = () =>
    pick<unknown>(random, [
      pick(random, TEXTS),
      pick(random, NUMBERS),
      true,
      ["a", 1],
      [pick(random, TEXTS), pick(random, TEXTS), 17.5, true, null, { value: "a" }, ["A"]],
      { value: [pick(random, TEXTS), "17"], type: "array" },
      JSON.stringify([pick(random, TEXTS), 0.5]),
      '["a", 17',
      "[]",
      { value: "a", unit: "ms", type: "string" },
      { value: 17, unit: "ms" },
    ]);
  const attributes = Object.fromEntries(pickSome(random, KEYS, 4).map((key) => [key, value()]));
  return log(sequence, {
    occurredUs: NOON * 1000 + Math.floor(random() * 5_000),
    template: text(),
    serverAddress: text(),
    replayId: random() < 0.5 ? null : TRACE,
    origin: text(),
    sdkName: text(),
    sdkVersion: text(),
    body: pick(random, TEXTS),
    severity: 1 + Math.floor(random() * 24),
    service: text(),
    logger: text(),
    environment: text(),
    release: random() < 0.5 ? text() : pick(random, RELEASES),
    userId: text(),
    spanId: random() < 0.5 ? null : spanId(1 + Math.floor(random() * 3)),
    traceId: random() < 0.5 ? null : TRACE,
    attributes: random() < 0.2 ? null : JSON.stringify(attributes),
  });
}

/** A search that is understood. */
function makeSearch(random: () => number, depth: number): string {
  if (depth > 0 && random() < 0.5) {
    const [one, other] = [makeSearch(random, depth - 1), makeSearch(random, depth - 1)];
    return pick(random, [`${one} ${other}`, `(${one} OR ${other})`, `!(${one} ${other})`, `${one} AND ${other}`]);
  }
  const text = () => printValue(toSearchValue(pick(random, TEXTS.filter(Boolean))));
  const key = pick(random, ["service", "logger", "env", "user", "host", "sdk", "plan", "a.b", "origin", "message"]);
  const term = pick<() => string>(random, [
    text,
    () => `${key}:${text()}`,
    () => `${key}:[${text()},${text()}]`,
    () => `${key}:${pick(random, ["a*", "*A", "*a*", "s*E", "*%", "*_*"])}`,
    () => `has:${key}`,
    () => `${pick(random, ["plan", "a.b"])}:${pick(random, [">16", ">=17", "<0", "<=0.5", ">1.5k", "<1s", "<=5%"])}`,
    () => `severity:${pick(random, ["error", "warn", "[info,debug]", "trace"])}`,
    () => `severity_number:${pick(random, ["9", ">9", "<=12"])}`,
    () => `release:${pick(random, ["shop@*", "*.2*", "1.2.3"])}`,
    () => `timestamp:${pick(random, [">", "<=", ">=", "<"])}${new Date(NOON + Math.floor(random() * 5)).toISOString()}`,
    () => `trace:${TRACE}`,
    () => `span_id:${spanId(1 + Math.floor(random() * 3))}`,
  ])();
  return `${random() < 0.3 ? "!" : ""}${term}`;
}

function makeCondition(random: () => number, depth: number): Condition {
  if (depth > 0 && random() < 0.5) {
    const parts = [makeCondition(random, depth - 1), makeCondition(random, depth - 1)];
    return { kind: random() < 0.5 ? "all" : "any", parts };
  }
  const isNegated = random() < 0.4;
  const choice = random();
  if (choice < 0.1) {
    return {
      kind: "test",
      field: "severityNumber",
      isTag: false,
      isNegated,
      test: { kind: "compare", sign: pick(random, [">", "<=", "="]), value: 9 },
    };
  }
  if (choice < 0.2) {
    const values = [pick(random, TEXTS.filter(Boolean))];
    return { kind: "test", field: "*", isTag: true, isNegated, test: { kind: "in", values } };
  }
  if (choice < 0.35) {
    const test: ValueTest = {
      kind: "compare",
      sign: pick(random, [">", ">=", "<", "<="]),
      value: pick(random, [-3, 0.5, 17]),
    };
    return { kind: "test", field: pick(random, KEYS), isTag: true, isNegated, test };
  }
  const isTag = choice < 0.65;
  return { kind: "test", field: pick(random, isTag ? KEYS : FIELDS), isTag, isNegated, test: makeTest(random) };
}

function makeTest(random: () => number): ValueTest {
  const values = [pick(random, [...TEXTS, "error", TRACE, spanId(1)]), pick(random, TEXTS)];
  return pick<ValueTest>(random, [
    { kind: "exists" },
    { kind: "in", values },
    { kind: "in", values: [values[0] as string] },
    { kind: "like", parts: [ANY_TEXT, values[0] as string, ANY_TEXT] },
    { kind: "like", parts: [values[0] as string, ANY_TEXT] },
  ]);
}
