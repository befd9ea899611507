import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { sendEnvelope } from "../tests/support/api.ts";
import { signIn } from "../tests/support/browse.ts";
import { CHROMIUM_LAUNCH } from "../tests/support/chromium-launch.ts";
import type { TestServer } from "../tests/support/start-server.ts";
import { summarize } from "./distribution.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { readResidentMemory } from "./machine.ts";
import { makeLargeTrace } from "./make-large-trace.ts";
import { type BenchOptions, CpuUses, type Measurement, requireDsn, sleep, startBenchServer } from "./measurement.ts";
import { createRandom } from "./random.ts";
import { readMetrics } from "./server-metrics.ts";

/** Of 10,000 spans, in milliseconds from the address to the first paint. */
const GOAL_MS = 700;
const SIZES = [10_000, 100_000, 1_000_000];
const QUICK_SIZES = [10_000, 100_000];
const JUMPS = 20;
const SENT_AT_ONCE = 4;
/** How often somebody else asks the server for something small meanwhile. */
const ASK_EVERY_MS = 10;
const CROWD = 12;

interface StoredTrace {
  id: string;
  spans: number;
}

/** The page of a large trace in Chromium: until it is painted, until rows are there after a jump, and what the server needs for it. */
export const measureTraces: Measurement = {
  name: "traces",
  what: "the page of traces of many spans in Chromium: first paint, jumps through the rows, views, memory, and what others wait for",
  async run(bench) {
    // A folder that is kept has them already.
    const dataDir = bench.dataDir === null ? null : join(bench.dataDir, "traces");
    const isStored = dataDir !== null && existsSync(dataDir);
    await using server = await startBenchServer(bench, dataDir === null ? {} : { dataDir });
    const uses = new CpuUses();
    const traces = (bench.isQuick ? QUICK_SIZES : SIZES).map(
      (spans): StoredTrace => ({ id: createRandom(spans).hex(32), spans }),
    );
    if (!isStored) for (const trace of traces) await storeTrace(bench, server, trace);
    await rest(server);
    const browser = await chromium.launch(CHROMIUM_LAUNCH);
    try {
      const figures: Figure[] = [];
      const { result } = await uses.during([server.pid], async () => {
        for (const trace of traces) figures.push(...(await measureTrace(bench, { server, browser, trace })));
        figures.push(...(await measureCrowd(bench, server, traces)));
        return figures;
      });
      return { figures: result, cpu: uses.worst };
    } finally {
      await browser.close();
    }
  },
};

async function storeTrace(bench: BenchOptions, server: TestServer, { id, spans }: StoredTrace): Promise<void> {
  bench.say(`traces: storing one of ${formatNumber(spans)} spans`);
  const before = await countSpans(server);
  const at = Date.now() / 1000 - 6 * 3_600;
  const envelopes = makeLargeTrace(createRandom(spans + 1), { traceId: id, count: spans, at });
  const send = async () => {
    for (const envelope of envelopes) {
      const answer = await sendEnvelope({ url: server.url, dsn: requireDsn(server) }, envelope);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the server answered ${answer.status} to spans`);
    }
  };
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, send));
  while ((await countSpans(server)) < before + spans) await sleep(200);
}

async function countSpans(server: TestServer): Promise<number> {
  return (await readMetrics(server)).sum("culprit_items_stored_total", { category: "span" });
}

/** Sums are made in the background, and pages are measured without them. */
async function rest(server: TestServer): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = readResidentMemory(server.pid)?.residentBytes ?? 0;
    await sleep(2_000);
    quiet = Math.abs((readResidentMemory(server.pid)?.residentBytes ?? 0) - before) < 4e6 ? quiet + 1 : 0;
  }
}

async function measureTrace(
  bench: BenchOptions,
  { server, browser, trace }: { server: TestServer; browser: Browser; trace: StoredTrace },
): Promise<Figure[]> {
  const size = formatNumber(trace.spans);
  bench.say(`traces: opening ${size} spans`);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [name, value] = (await signIn(server)).cookie.split("=") as [string, string];
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  // Scripts and styles come from the cache, as they do for somebody who has been here before.
  await page.goto(`${server.url}/traces/${"1".repeat(32)}`);
  const of = (part: string, what: string, ms: number, more: Partial<Figure> = {}): Figure => ({
    name: `traces.${trace.spans}.${part}`,
    what: `${size} spans: ${what}`,
    value: ms,
    unit: "ms",
    better: "lower",
    ...more,
  });
  const path = `${server.url}/traces/${trace.id}`;
  const first = await watchOthers(server, () => open(page, path));
  const memory = (readResidentMemory(server.pid)?.residentBytes ?? 0) / 1e6;
  const again: number[] = [];
  for (let time = 0; time < 5; time++) again.push(await open(page, path));
  const jumps = await jump(page);
  const views: Figure[] = [];
  for (const view of ["flame", "statistics"]) {
    const times: number[] = [];
    for (let time = 0; time < 5; time++) times.push(await open(page, `${path}?view=${view}`));
    views.push(of(view, `${view}, first paint, median of 5`, summarize(times).p50));
  }
  await context.close();
  const goal = trace.spans === 10_000 ? { goal: GOAL_MS } : {};
  return [
    of("paint", "waterfall, first paint", first.result, goal),
    of("again", "  again, median of 5", summarize(again).p50, goal),
    of("jump", "  jump through the rows until they are there, p95", summarize(jumps).p95, {
      note: `p50 ${formatNumber(summarize(jumps).p50)} ms`,
    }),
    ...views,
    of("others", "  longest wait of another request at the first opening", first.longestMs),
    { ...of("memory", "  memory of the server then", memory), unit: "MB" },
  ];
}

/** Milliseconds from the address to the first paint with its content. */
async function open(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForSelector(".trace-card");
  return page.evaluate(async () => {
    const read = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    while (read() === undefined) await new Promise((wake) => requestAnimationFrame(wake));
    return read() as number;
  });
}

/** Milliseconds from each jump of the scroll bar until every row in sight is drawn. */
async function jump(page: Page): Promise<number[]> {
  const times: number[] = [];
  const random = createRandom(3);
  for (let count = 0; count < JUMPS; count++) {
    const time = await page.evaluate(async (place) => {
      const frame = document.querySelector(".trace-frame") as HTMLElement;
      const began = performance.now();
      frame.scrollTop = place * frame.scrollHeight;
      const nextFrame = () => new Promise((wake) => requestAnimationFrame(wake));
      await nextFrame();
      await nextFrame();
      const isWaiting = () => {
        const { top, bottom } = frame.getBoundingClientRect();
        return [...document.querySelectorAll(".trace-row-waiting")].some((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > top && box.top < bottom;
        });
      };
      while (isWaiting()) await nextFrame();
      return performance.now() - began;
    }, random.next());
    times.push(time);
  }
  return times;
}

/** How long a small request takes at the most while something runs. */
async function watchOthers<Result>(
  server: TestServer,
  run: () => Promise<Result>,
): Promise<{ result: Result; longestMs: number }> {
  let longestMs = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      const answer = await fetch(`${server.url}/healthz`, { headers: { connection: "close" } });
      await answer.arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - began);
      await sleep(ASK_EVERY_MS);
    }
  })();
  const result = await run();
  isOver = true;
  await asking;
  return { result, longestMs };
}

/** Many large traces at once, by both clocks: a stranger with an account can ask for that. */
async function measureCrowd(
  bench: BenchOptions,
  server: TestServer,
  traces: readonly StoredTrace[],
): Promise<Figure[]> {
  bench.say(`traces: ${CROWD} at once`);
  const { cookie } = await signIn(server);
  const largest = traces.at(-1) as StoredTrace;
  const statuses = new Map<number, number>();
  const ask = async (number: number) => {
    const query = `?q=step+${number}&clocks=${number % 2 === 0 ? "sent" : ""}`;
    const answer = await fetch(`${server.url}/traces/${largest.id}${query}`, {
      headers: { cookie, accept: "text/html" },
    });
    await answer.arrayBuffer();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  };
  let peak = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    peak = Math.max(peak, readResidentMemory(server.pid)?.residentBytes ?? 0);
  }, 50);
  const { longestMs } = await watchOthers(server, () => Promise.all(Array.from({ length: CROWD }, (_, n) => ask(n))));
  clearInterval(timer);
  const tookMs = performance.now() - began;
  const size = formatNumber(largest.spans);
  const note = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  const rest = { better: "lower" } as const;
  return [
    {
      ...rest,
      name: "traces.crowd",
      what: `${CROWD} at once of ${size} spans, all answered`,
      value: tookMs,
      unit: "ms",
      note,
    },
    { ...rest, name: "traces.crowd.others", what: "  longest wait of another request", value: longestMs, unit: "ms" },
    { ...rest, name: "traces.crowd.memory", what: "  memory of the server at the most", value: peak / 1e6, unit: "MB" },
  ];
}
