import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measureDataFolder } from "./data-folder-size.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { copyFolder, createTemporaryFolder, fillFolder } from "./filled-folder.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { watchCpu } from "./machine.ts";
import { CpuUses, type Measurement, sleep, startBenchServer } from "./measurement.ts";
import { createRandom, type Random } from "./random.ts";
import { type FailedRequest, sendSignals, storeFailedRequests, storeSignals } from "./store-signals.ts";
import { type Page, toPageFigures, visitPages } from "./visit-pages.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const RATE = 1_000;
const FAILED_REQUESTS = 20;
const WARM_UP_ROUNDS = 3;

/** p95 in milliseconds. */
const GOALS = { issues: 150, typed: 300, attribute: 2_000, trace: 100, timeline: 150, sums: 100 } as const;

/** A search of issues by each kind of key. `random` chooses a value that some events have. */
const ISSUE_SEARCHES: ReadonlyArray<readonly [name: string, search: (random: Random) => string]> = [
  ["tag", (random) => `region:${random.pick(REGIONS)}`],
  ["tags", (random) => `region:${random.pick(REGIONS)} feature.checkout:on`],
  ["not", (random) => `!region:${random.pick(REGIONS)}`],
  ["has", () => "has:tenant"],
  ["wildcard", (random) => `region:*${random.pick(REGIONS).slice(1)}`],
  ["anyKey", (random) => `*:${random.pick(REGIONS)}`],
  ["user", (random) => `user:${random.whole(50_000)}`],
  ["environment", () => "environment:production"],
  ["release", () => "release:latest"],
  ["releaseOrder", () => "release:>1.0"],
  ["errorType", () => "error.type:TypeError"],
  ["message", (random) => `message:${random.pick(["timeout", "payment", "duplicate"])}`],
  ["text", (random) => random.pick(["warehouse", "ECONNREFUSED"])],
  ["url", () => "url:*cart*"],
  ["timesSeen", () => "timesSeen:>100"],
  ["age", () => "age:-24h"],
  ["lastSeen", () => "lastSeen:-24h"],
  ["sdk", () => "sdk:sentry.python"],
  ["platform", () => "platform:python"],
  ["assigned", () => "assigned:none"],
  ["is", () => "is:unhandled"],
  ["trace", (random) => `trace:${random.hex(32)} is:unresolved`],
];
const REGIONS = ["eu-central", "eu-west", "us-east", "ap-south"];

const SPAN_SEARCHES: ReadonlyArray<readonly [name: string, query: string, goal: number]> = [
  ["spans.all", "", GOALS.typed],
  ["spans.op", "q=span.op:db", GOALS.typed],
  ["spans.slow", `q=${encodeURIComponent("span.op:http.server span.duration:>100ms")}`, GOALS.typed],
  ["spans.groups", "view=aggregates&by=span.op&by=transaction", GOALS.typed],
  ["spans.traces", "view=traces&q=span.op:db", GOALS.typed],
  ["spans.attribute", "q=plan:pro", GOALS.attribute],
  // Few spans have it: rows come from far back, or the answer says how far it came.
  ["spans.rareAttribute", "q=http.response.body.size:12345", GOALS.attribute],
  ["spans.attributeGroups", "view=aggregates&by=plan", GOALS.attribute],
];

/** The pages of search, traces, performance, logs and timeline, as a person opens them. */
export const measureFind: Measurement = {
  name: "find",
  what: `search, traces, performance, logs and timeline over stored events, spans and log lines while ${RATE} items a second come in`,
  async run(bench) {
    await using load = startLoadGenerator();
    using folder = createTemporaryFolder();
    const source = bench.dataDir ?? join(folder.path, "events");
    const filled = bench.dataDir === null ? source : `${bench.dataDir}-find`;
    if (!existsSync(filled) || filled === source) {
      await fillFolder(bench, load, source);
      if (filled !== source) copyFolder(source, filled);
      bench.say(`find: storing ${formatNumber(bench.storedSignals)} spans and log lines`);
      await using server = await startBenchServer({ ...bench, profileDir: null }, { dataDir: filled });
      // First, so that their rows are among those that move.
      writeFileSync(toMovedPath(filled), JSON.stringify(await storeFailedRequests(server, FAILED_REQUESTS)));
      await storeSignals(server, bench.storedSignals, bench.say);
      bench.say("find: waiting until sums are made and rows have moved into files");
      await waitUntilSettled(filled);
    }
    // A folder that is kept must not grow with each run.
    const dataDir = filled === source ? source : copyFolder(filled, join(folder.path, "find"));
    await using server = await startBenchServer(bench, { dataDir });
    const pages = choosePages(await storeFailedRequests(server, FAILED_REQUESTS), readMoved(filled));
    // Sums are made in the background, in pieces.
    await sleep(bench.isQuick ? 3_000 : 30_000);
    using visitor = await openVisitor(server);
    const limits = bench.isQuick ? { rounds: 6, seconds: 60 } : { rounds: 40, seconds: 300 };
    bench.say("find: at rest");
    await visitPages(visitor, pages, { ...limits, rounds: WARM_UP_ROUNDS });
    const atRest = await visitPages(visitor, pages, limits);
    bench.say("find: processor time");
    const processor = await measureProcessor(visitor, pages, server.pid, bench.isQuick ? 4 : 20);
    bench.say(`find: while ${RATE}/s come in`);
    const uses = new CpuUses();
    const incoming = sendSignals(server, RATE);
    const began = performance.now();
    const { result: loaded } = await uses.during([server.pid, load.pid], () => visitPages(visitor, pages, limits));
    const rate = (await incoming.stop()) / ((performance.now() - began) / 1000);
    const figures = pages.flatMap(({ goal, ...page }) => {
      const times = { loaded: loaded.get(page.name) ?? [], atRest: atRest.get(page.name) ?? [] };
      // Of so many pages, the note says the rest.
      return [...toPageFigures(page, { part: "find", goal, ...times }).slice(0, 1), toProcessorFigure(page, processor)];
    });
    const note = `${formatNumber(bench.storedEvents)} events, ${formatNumber(bench.storedSignals)} spans and log lines stored before`;
    const meanwhile: Figure = {
      name: "find.load",
      what: "  items accepted a second meanwhile",
      value: rate,
      unit: "/s",
      better: "higher",
      note,
    };
    return { figures: [...figures, meanwhile], cpu: uses.worst };
  },
};

/** Where the failed requests are noted whose rows have moved into files: beside the folder that has them. */
function toMovedPath(filled: string): string {
  return `${filled}.json`;
}

/** None of a folder that was filled before they were stored. */
function readMoved(filled: string): FailedRequest[] {
  const path = toMovedPath(filled);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

const SETTLING_LOOK_MS = 5_000;
/** The job that moves days looks for them once a minute. */
const SETTLED_MS = 90_000;

/** Until nothing in the folder has changed its size for a while. While so many items come, no day moves. */
async function waitUntilSettled(dataDir: string): Promise<void> {
  let [last, since] = ["", performance.now()];
  while (performance.now() - since < SETTLED_MS) {
    await sleep(SETTLING_LOOK_MS);
    const { payloads, other } = measureDataFolder(dataDir);
    const now = `${payloads} ${other}`;
    if (now !== last) [last, since] = [now, performance.now()];
  }
}

/** Milliseconds of the server's processor time a visit, at rest: these change little when others use the machine. */
async function measureProcessor(visitor: Visitor, pages: readonly Page[], pid: number, rounds: number) {
  const times = new Map<string, number>();
  for (const { name, next, until } of pages) {
    const stop = watchCpu([pid]);
    for (let round = 0; round < rounds; round++) await visitor.time(next(), until);
    times.set(name, ((stop()?.secondsOf[pid] ?? Number.NaN) * 1000) / rounds);
  }
  return times;
}

function toProcessorFigure({ name }: Page, times: ReadonlyMap<string, number>): Figure {
  const value = times.get(name) ?? Number.NaN;
  return { name: `find.${name}.processor`, what: "  processor time without load", value, unit: "ms", better: "lower" };
}

function choosePages(
  failed: readonly FailedRequest[],
  moved: readonly FailedRequest[],
): Array<Page & { goal: number }> {
  const random = createRandom(2);
  const of = (name: string, what: string, goal: number, next: () => string) => ({ name, what, goal, next });
  const ofRequests = (requests: readonly FailedRequest[], name: string, words: string) => [
    of(`trace${name}`, `a trace of 1,000 spans${words}`, GOALS.trace, () => `/traces/${random.pick(requests).traceId}`),
    of(
      `timeline${name}`,
      `timeline of an error in such a trace${words}`,
      GOALS.timeline,
      () => `/events/${random.pick(requests).eventId}/timeline`,
    ),
  ];
  const nextTransaction = () => {
    const name = random.pick(["/cart", "/checkout", "/search", "/account"]);
    return `/performance/transaction?project=shop&op=http.server&range=14d&name=${encodeURIComponent(`GET ${name}`)}`;
  };
  return [
    ...ISSUE_SEARCHES.map(([name, search]) =>
      of(`issues.${name}`, `issues: ${search(createRandom(1))}`, GOALS.issues, () => {
        return `/issues?range=14d&q=${encodeURIComponent(search(random))}`;
      }),
    ),
    ...SPAN_SEARCHES.map(([name, query, goal]) =>
      of(name, `traces: ${decodeURIComponent(query) || "no search"}`, goal, () => `/traces?${query}`),
    ),
    ...ofRequests(failed, "", ""),
    ...(moved.length > 0 ? ofRequests(moved, ".moved", ", its rows in files") : []),
    of("performance.day", "performance, 24 hours", GOALS.sums, () => "/performance"),
    of("performance.fortnight", "performance, 14 days", GOALS.sums, () => "/performance?range=14d"),
    of("performance.vitals", "web vitals", GOALS.sums, () => "/performance?view=vitals"),
    {
      ...of("performance.transaction", "a transaction, 14 days, to its figures", GOALS.sums, nextTransaction),
      // The panel behind all that is made of sums.
      until: "Slow examples",
    },
    of("performance.transaction.whole", "  with its examples and issues", GOALS.typed, nextTransaction),
    of("logs.page", "logs, first page", GOALS.typed, () => "/logs"),
    of("logs.typed", "logs: severity:error service:payment", GOALS.typed, () => {
      return `/logs?q=${encodeURIComponent("severity:error service:payment")}`;
    }),
    of("logs.attribute", "logs: plan:pro", GOALS.attribute, () => "/logs?q=plan:pro"),
    of("logs.rareAttribute", "logs: db.timeout_ms:1234", GOALS.attribute, () => "/logs?q=db.timeout_ms:1234"),
  ];
}
