import { setTimeout as sleep } from "node:timers/promises";
import type { TestServer } from "../tests/support/start-server.ts";
import { measureDataFolder } from "./data-folder-size.ts";
import { formatNumber } from "./figure.ts";
import { copyFolder, countEvents, createTemporaryFolder, fillFolder } from "./filled-folder.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { readResidentMemory } from "./machine.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { CpuUses, type Measurement, startBenchServer } from "./measurement.ts";
import { createRandom } from "./random.ts";
import { readMetrics } from "./server-metrics.ts";
import { storedEventOptions } from "./store-events.ts";
import { type Page, toPageFigures, visitPages } from "./visit-pages.ts";
import { openVisitor } from "./visitor.ts";
import { listEventIds, listIssueIds } from "./web-api.ts";

/** p95 of each page, in milliseconds. */
const GOAL_MS = 100;
/** For an event of 8 KB. */
const GOAL_BYTES = 2_000;
const RATE = 1_000;
/** Longer than any run. */
const MAX_SECONDS = 3_600;
const WARM_UP_ROUNDS = 20;
const EVENTS_PER_ISSUE = 20;

/** How long pages take with many events stored while a thousand a second come in. */
export const measurePages: Measurement = {
  name: "pages",
  what: `page times with many events stored while ${RATE} a second of 8 KB come in; one person, from request to last byte`,
  async run(bench) {
    await using load = startLoadGenerator();
    using folder = createTemporaryFolder();
    const filledDir = bench.dataDir ?? folder.path;
    await fillFolder(bench, load, filledDir);
    // A folder that is kept must not grow with each run.
    const dataDir = bench.dataDir === null ? folder.path : copyFolder(bench.dataDir, folder.path);
    const { journal, ...kept } = measureDataFolder(dataDir);

    await using server = await startBenchServer(bench, { dataDir });
    const stored = await countEvents(server);
    using visitor = await openVisitor(server);
    const pages = await choosePages(server);
    await load.prepare(storedEventOptions(server));

    bench.say("pages: at rest");
    const limits = bench.isQuick ? { rounds: 15, seconds: 30 } : { rounds: 100, seconds: 60 };
    await visitPages(visitor, pages, { rounds: WARM_UP_ROUNDS, seconds: limits.seconds });
    const atRest = await visitPages(visitor, pages, limits);

    const uses = new CpuUses();
    const sending = load.send({ url: server.url, rate: RATE, seconds: MAX_SECONDS });
    await sleep(bench.isQuick ? 2_000 : 10_000);
    bench.say(`pages: while ${RATE}/s come in`);
    const { result: loaded } = await uses.during([server.pid, load.pid], () =>
      visitPages(visitor, pages, { rounds: 3 * limits.rounds, seconds: 3 * limits.seconds }),
    );
    const backlog = (await readMetrics(server)).sum("culprit_journal_backlog_records");
    const memory = readResidentMemory(server.pid);
    load.stop();
    const sent = await sending;

    const figures = pages.flatMap((page) =>
      toPageFigures(page, {
        part: "pages",
        goal: GOAL_MS,
        loaded: loaded.get(page.name) ?? [],
        atRest: atRest.get(page.name) ?? [],
      }),
    );
    figures.push({
      name: "pages.load",
      what: "  events accepted a second meanwhile",
      value: sent.acceptedPerSecond,
      unit: "/s",
      better: "higher",
      note: `${formatNumber(stored)} events stored before, backlog at the end ${formatNumber(backlog)}${describeRefusals(sent)}`,
    });
    const keptBytes = Object.values(kept).reduce((sum, bytes) => sum + bytes, 0);
    figures.push({
      name: "pages.disk",
      what: "  bytes on disk per event of 8 KB",
      value: keptBytes / stored,
      unit: "bytes",
      better: "lower",
      goal: GOAL_BYTES,
      note: `${formatNumber(keptBytes / 1e6)} MB: ${Object.entries(kept)
        .map(([part, bytes]) => `${part} ${formatNumber(bytes / stored)}`)
        .join(", ")}; journal ${formatNumber(journal / 1e6)} MB`,
    });
    if (memory) {
      const value = memory.residentBytes / 1e6;
      figures.push({ name: "pages.memory", what: "  memory of the server then", value, unit: "MB", better: "lower" });
    }
    for (const [name, message] of [
      ["event", "accepting events"],
      ["page", "ready"],
    ] as const) {
      const ms = server.logLines().find(({ msg }) => msg === message)?.ms;
      if (typeof ms !== "number") continue;
      const what = `  start with these events, to the first ${name}`;
      figures.push({
        name: `pages.start.${name}`,
        what,
        value: ms,
        unit: "ms",
        better: "lower",
        note: "as the server says",
      });
    }
    return { figures, cpu: uses.worst };
  },
};

async function choosePages(server: TestServer): Promise<Page[]> {
  const random = createRandom(1);
  const issueIds = await listIssueIds(server);
  const eventIds: string[] = [];
  for (const issueId of issueIds) eventIds.push(...(await listEventIds(server, issueId, EVENTS_PER_ISSUE)));
  const words = ["payment", "warehouse", "TypeError", "duplicate key", "ECONNREFUSED"];
  return [
    { name: "issueList", what: "issue list", next: () => "/issues" },
    {
      name: "issueListSearched",
      what: "issue list, searched and sorted",
      next: () =>
        `/issues?q=${encodeURIComponent(`is:unresolved ${random.pick(words)}`)}&sort=${random.pick(["events", "users"])}`,
    },
    { name: "issue", what: "issue page with its latest event", next: () => `/issues/${random.pick(issueIds)}` },
    { name: "largestIssue", what: "the largest issue's page", next: () => `/issues/${issueIds[0]}` },
    { name: "event", what: "event by id", next: () => `/events/${random.pick(eventIds)}` },
  ];
}
