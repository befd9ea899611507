import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bindSearch } from "../app/domain/search/bind-search.ts";
import { LOG_VOCABULARY } from "../app/domain/search/log-vocabulary.ts";
import { matchesCondition } from "../app/domain/search/matches-condition.ts";
import { parseSearch } from "../app/domain/search/parse-search.ts";
import { DAY_MS } from "../app/domain/time.ts";
import { toBucketMs } from "../app/features/logs/log-filters.ts";
import { projects } from "../app/stores/event-store-contract/fixture.ts";
import type { EventStore } from "../app/stores/events/event-store.ts";
import type { LogFilter } from "../app/stores/events/logs.ts";
import { toSearchedLog } from "../app/stores/events/searched-log.ts";
import { summarize } from "./distribution.ts";
import { type Figure, formatNumber } from "./figure.ts";
import type { Measurement } from "./measurement.ts";
import { storeLogs } from "./store-logs.ts";
import { cpuMs } from "./store-spans.ts";

const TYPED_GOAL_MS = 300;
const FIRST_ROWS_GOAL_MS = 2_000;
const LIVE_GOAL = 20_000;
const TIMES = 20;

const SEARCHES: ReadonlyArray<readonly [name: string, search: string, goalMs: number]> = [
  ["all", "", TYPED_GOAL_MS],
  ["severity", "severity:error", TYPED_GOAL_MS],
  ["service", "service:payment !severity:debug", TYPED_GOAL_MS],
  ["release", "release:cart@1.4.1", TYPED_GOAL_MS],
  ["attribute", "plan:pro", FIRST_ROWS_GOAL_MS],
  ["rare-attribute", "rare:yes", FIRST_ROWS_GOAL_MS],
  ["text", "timeout", FIRST_ROWS_GOAL_MS],
];

/** How long the page of logs waits for the store, over a day of lines, and what the live tail can look through. */
export const measureLogs: Measurement = {
  name: "logs",
  what: "first rows, histogram with facets and the live tail's search, over millions of log lines of a day",
  async run(bench) {
    const dir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
    try {
      const lineCount = bench.isQuick ? 200_000 : 5_000_000;
      bench.say(`logs: storing ${formatNumber(lineCount)} lines`);
      const to = Date.now();
      const range = { from: to - DAY_MS, to };
      const events = await storeLogs(dir, { lineCount, ...range });
      await events.checkpoint();
      const figures: Figure[] = [await measureSums(events, lineCount)];
      for (const [name, search, goal] of SEARCHES) {
        bench.say(`logs: ${name}`);
        const filter = { projectIds: projects(1), ...range, where: toCondition(search) };
        figures.push(...(await measureSearch(events, filter, { name, search, goal })));
      }
      figures.push(await measureLive(events, range));
      await events.close();
      return { figures, cpu: null };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

const toCondition = (search: string) => bindSearch(parseSearch(search).tree, LOG_VOCABULARY, Date.now()).condition;

async function measureSums(events: EventStore, lineCount: number): Promise<Figure> {
  const [bytes, began] = [await events.bytesOnDisk(), cpuMs()];
  while (await events.rollUp(Number.POSITIVE_INFINITY));
  const value = ((cpuMs() - began) * 1000) / lineCount;
  await events.checkpoint();
  const note = `${formatNumber(((await events.bytesOnDisk()) - bytes) / lineCount)} bytes a line`;
  return { name: "logs.sums", what: "processor time of the sums, per line", value, unit: "µs", better: "lower", note };
}

/** As the page asks, both at once. */
async function measureSearch(
  events: EventStore,
  filter: LogFilter,
  { name, search, goal }: { name: string; search: string; goal: number },
): Promise<Figure[]> {
  const rows: number[] = [];
  const counts: number[] = [];
  let searchedShare = 1;
  let countedShare = 1;
  const share = (from: number) => (filter.to - from) / (filter.to - filter.from);
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now();
    const listing = events.findLogs(filter, { limit: 100, budgetMs: 800 }).then((page) => {
      rows.push(performance.now() - began);
      if (page.readUpTo !== null) searchedShare = share(page.readUpTo);
    });
    const counting = events
      .summarizeLogs(filter, { bucketMs: toBucketMs(filter), budgetMs: 1_200 })
      .then(({ countedFrom }) => {
        counts.push(performance.now() - began);
        countedShare = share(countedFrom);
      });
    await Promise.all([listing, counting]);
  }
  const of = (part: string, what: string, values: readonly number[], sharePart: number): Figure => ({
    name: `logs.${name}.${part}`,
    what: `${what}, ${search === "" ? "no search" : search}, p95`,
    value: summarize(values).p95,
    unit: "ms",
    better: "lower",
    goal: part === "rows" ? goal : FIRST_ROWS_GOAL_MS,
    note: `p50 ${formatNumber(summarize(values).p50)} ms${sharePart < 1 ? `; ${Math.round(sharePart * 100)} % of the day, and says so` : ""}`,
  });
  return [of("rows", "first rows", rows, searchedShare), of("counts", "counts", counts, countedShare)];
}

/** Lines that one search is evaluated on in memory. */
async function measureLive(events: EventStore, range: { from: number; to: number }): Promise<Figure> {
  const { lines } = await events.findLogs({ projectIds: projects(1), ...range }, { limit: 10_000, budgetMs: 10_000 });
  const where = toCondition("plan:pro timeout !severity:debug");
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < 2_000) {
    for (const line of lines) matchesCondition(where, toSearchedLog(line));
    count += lines.length;
  }
  return {
    name: "logs.live",
    what: "lines that a live tail looks through",
    value: (count * 1000) / (performance.now() - began),
    unit: "/s",
    better: "higher",
    goal: LIVE_GOAL,
  };
}
