import { expect, test } from "vitest";
import { toLogSeverity } from "../../domain/logs/log-severity.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { ALWAYS } from "../../domain/search/condition.ts";
import { createRandom, pick } from "../../domain/search/fixtures/random.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { newRebuild } from "../events/event-rebuild.ts";
import type { EventStore } from "../events/event-store.ts";
import { LOG_FACETS, type LogFilter, type LogRow } from "../events/logs.ts";
import { toSearchedLog } from "../events/searched-log.ts";
import { type CreateEventDatabase, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, log, toSpanBatch } from "./span-fixture.ts";

const LATER = NOON + 10 * DAY_MS;
const ALL = { projectIds: projects(1, 2), from: NOON - DAY_MS, to: NOON + DAY_MS };
const IN_TIME = { budgetMs: Number.POSITIVE_INFINITY };
/** What the sums have, and at the end what they do not have. */
const SEARCHES = [
  "",
  "severity:error",
  "severity_number:>9 !severity:fatal",
  "env:production",
  "service:[cart,pay] !logger:a*",
  "(service:pay OR release:1.0) has:server.address",
  "message:*7*",
  "plan:pro",
];

async function sumAll(store: EventStore): Promise<void> {
  while (await store.rollUp(LATER));
}

function toCondition(search: string) {
  const { condition, errors } = bindSearch(parseSearch(search).tree, LOG_VOCABULARY, NOON);
  expect(errors).toEqual([]);
  return condition;
}

/** What the store must say of these lines. */
function countLines(logs: readonly LogRow[], filter: LogFilter, bucketMs: number) {
  const { from, to, environments = [], where = ALWAYS } = filter;
  const found = logs.filter(
    (row) =>
      row.occurredUs >= from * 1000 &&
      row.occurredUs < to * 1000 &&
      filter.projectIds.includes(row.projectId) &&
      (environments.length === 0 || environments.includes(row.environment ?? "")) &&
      matchesCondition(where, toSearchedLog(row)),
  );
  const buckets = new Map<string, number>();
  for (const { occurredUs, severity } of found) {
    const key = `${Math.floor(occurredUs / (bucketMs * 1000)) * bucketMs} ${toLogSeverity(severity)}`;
    buckets.set(key, (buckets.get(key) ?? 0) + 1);
  }
  const facets = LOG_FACETS.map((facet) => {
    const counts = new Map<string, number>();
    for (const { [facet]: value } of found) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [facet, [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))] as const;
  });
  return { buckets: [...buckets].sort(), facets: Object.fromEntries(facets) };
}

async function ask(store: EventStore, filter: LogFilter, bucketMs: number) {
  const { buckets, facets, countedFrom } = await store.summarizeLogs(filter, { bucketMs, ...IN_TIME });
  expect(countedFrom).toBe(filter.from);
  return {
    buckets: buckets.map(({ at, severity, count }): [string, number] => [`${at} ${severity}`, count]).sort(),
    facets: Object.fromEntries(
      LOG_FACETS.map((facet) => [facet, facets[facet].map(({ value, count }): [string, number] => [value, count])]),
    ),
  };
}

export function describeLogSums(createDatabase: CreateEventDatabase): void {
  test("counts of lines are those of the rows, whatever is summed of them", async () => {
    await using store = await openStore(createDatabase);
    const random = createRandom(20261124);
    const text = (...texts: string[]) => (random() < 0.3 ? null : pick(random, texts));
    const logs = Array.from({ length: 300 }, (_, sequence) =>
      log(sequence, {
        projectId: random() < 0.8 ? 1 : 2,
        occurredUs: (NOON + Math.floor((random() - 0.5) * 6 * HOUR_MS)) * 1000 + Math.floor(random() * 1000),
        severity: 1 + Math.floor(random() * 24),
        environment: text("production", "staging"),
        service: text("cart", "pay", "web"),
        logger: text("app", "sql"),
        release: text("1.0", "1.1"),
        serverAddress: text("a", "b"),
        attributes: JSON.stringify({ plan: pick(random, ["pro", "free"]) }),
      }),
    );
    const asked: Array<{ filter: LogFilter; bucketMs: number }> = SEARCHES.flatMap((search) => {
      const edge = () => NOON + Math.floor((random() - 0.5) * 4 * HOUR_MS);
      const [one, other] = [edge(), edge()];
      const where = toCondition(search);
      return [
        { filter: { ...ALL, where }, bucketMs: 3 * HOUR_MS },
        {
          filter: { ...ALL, projectIds: projects(1), from: Math.min(one, other), to: Math.max(one, other) + 1, where },
          bucketMs: pick(random, [1_000, MINUTE_MS, HOUR_MS]),
        },
      ];
    });
    asked.push(
      { filter: { ...ALL, from: NOON + 1, to: NOON + MINUTE_MS / 2, where: ALWAYS }, bucketMs: MINUTE_MS },
      {
        filter: { ...ALL, projectIds: projects(...Array.from({ length: 50 }, (_, index) => index + 1)) },
        bucketMs: HOUR_MS,
      },
      { filter: { ...ALL, where: ALWAYS, environments: ["production"] }, bucketMs: 5 * MINUTE_MS },
    );
    const check = async () => {
      for (const { filter, bucketMs } of asked)
        expect(await ask(store, filter, bucketMs), JSON.stringify(filter)).toEqual(
          countLines(stored, filter, bucketMs),
        );
    };
    let stored = logs.slice(0, 150);
    await appendSpans(store, [], stored);
    await check();
    await sumAll(store);
    await appendSpans(store, [], logs.slice(150));
    stored = logs;
    await check();
    await sumAll(store);
    await check();
    expect(await ask(store, { ...ALL, projectIds: projects(3) }, HOUR_MS)).toMatchObject({ buckets: [] });
  });

  test("sums of lines go with their project, and with the day on which their rows came", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [], [log(0), log(1, { projectId: 2 }), log(2, { receivedAt: NOON + DAY_MS })]);
    await sumAll(store);
    const count = async () => (await ask(store, ALL, HOUR_MS)).buckets.reduce((sum, [, lines]) => sum + lines, 0);
    expect(await count()).toBe(3);
    await store.deletion.deleteProject(2);
    expect(await count()).toBe(2);
    const day = Math.floor(NOON / DAY_MS) * DAY_MS;
    const before = (signals: readonly string[]) => toCutoffs((signal) => (signals.includes(signal) ? day + DAY_MS : 0));
    await store.dropBefore(before(["spans"]), LATER);
    expect(await count()).toBe(2);
    await store.dropBefore(before(["logs"]), LATER);
    expect(await count()).toBe(1);
  });
}

export function describeLogSumsOfRebuiltDay(createDatabase: CreateEventDatabase): void {
  test("a rebuild of a day gives the same sums of lines", async () => {
    await using store = await openStore(createDatabase);
    const logs = [0, 1, 2, 3].map((sequence) => log(sequence, { service: sequence < 2 ? "cart" : "pay" }));
    await appendSpans(store, [], logs);
    await sumAll(store);
    const before = await ask(store, ALL, HOUR_MS);
    const day = Math.floor(NOON / DAY_MS) * DAY_MS;
    const state = { ...newRebuild("asked for", NOON), received: { from: day, to: day + DAY_MS } };
    await store.rebuild.begin(state);
    expect(await ask(store, ALL, HOUR_MS)).toMatchObject({ buckets: [] });
    await store.rebuild.restore([toSpanBatch([], logs)], state);
    await store.rebuild.end();
    expect(await ask(store, ALL, HOUR_MS)).toEqual(before);
    await sumAll(store);
    expect(await ask(store, ALL, HOUR_MS)).toEqual(before);
  });
}
