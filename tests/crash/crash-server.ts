import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../../bench/random.ts";
import { projectIdOf, waitFor } from "../support/api.ts";
import { startServer, type TestServer, type TestServerOptions } from "../support/start-server.ts";
import { findContradictions, findItemContradictions, type Verdict } from "./find-contradictions.ts";
import type { MadeEnvelope } from "./made-envelope.ts";
import { readBacklog } from "./read-backlog.ts";
import { readStoredItems } from "./read-stored-items.ts";
import { startLoad } from "./send-load.ts";
import { createSentBook, type SentBook } from "./sent-book.ts";

export interface CrashOptions {
  /** How often the server is killed. */
  killCount: number;
  /** Of the moments and of what is sent. What the server is doing at such a moment differs from run to run all the same. */
  seed: number;
  say?: (line: string) => void;
}

export interface CrashReport extends Verdict {
  killCounts: Record<Moment, number>;
  sentEventCount: number;
  answeredEventCount: number;
  /** Starts that found records which no store had applied yet. */
  startsWithBacklog: number;
}

/** What the server is doing when it is killed. */
const MOMENTS = ["starting", "started", "digesting", "backlog"] as const;
type Moment = (typeof MOMENTS)[number];
/** Most kills while there is most to lose. */
const DRAWN: readonly Moment[] = [
  "starting",
  "started",
  "started",
  "digesting",
  "digesting",
  "digesting",
  "backlog",
  "backlog",
];

const SENDER_COUNT = 6;
/** Under load, the server lives until so many more events were answered: on a busy machine that takes longer than on a quick one. */
const MIN_ANSWERED = 40;
const SAMPLE_COUNT = 250;
/** Where several processes died under the same records, these are taken one by one: a thousand of them take half a minute. */
const DRAIN_TIMEOUT_MS = 180_000;

/**
 * Kills a server under load with SIGKILL again and again, starts it on the same data each time, and compares what is there
 * in the end with what its senders were told.
 */
export async function crashServer({ killCount, seed, say = () => {} }: CrashOptions): Promise<CrashReport> {
  const random = createRandom(seed);
  const dataDir = mkdtempSync(join(tmpdir(), "culprit-crash-"));
  const book = createSentBook();
  const run: CrashRun = { dataDir, startCount: 0, book, random, past: [], startsWithBacklog: 0 };
  const killCounts: Record<Moment, number> = { starting: 0, started: 0, digesting: 0, backlog: 0 };
  try {
    for (let kill = 0; kill < killCount; kill++) {
      // The very first start makes the data folder, and is killed in the middle of it.
      const moment = kill === 0 ? "starting" : random.pick(DRAWN);
      killCounts[moment]++;
      const detail = await KILLS[moment](run);
      say(`${kill + 1}/${killCount} killed while ${moment} (${detail}), ${book.events.size} events sent`);
    }
    const verdict = await compareInTheEnd(run);
    const answeredEventCount = countAnswered(book);
    return {
      ...verdict,
      contradictions: [
        ...book.refusals.map(({ status }) => `an envelope was answered ${status}`),
        ...verdict.contradictions,
      ],
      killCounts,
      sentEventCount: book.events.size,
      answeredEventCount,
      startsWithBacklog: run.startsWithBacklog,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export function describeReport(report: CrashReport): string {
  const { killCounts, sentEventCount, answeredEventCount, storedEventIds, duplicateCount } = report;
  const kills = MOMENTS.map((moment) => `${killCounts[moment]} ${moment}`).join(", ");
  return [
    `killed: ${kills}; ${report.startsWithBacklog} starts with a backlog`,
    `events: ${sentEventCount} sent, ${answeredEventCount} answered 200, ${storedEventIds.size} stored (${report.storedUnansweredCount} of them never answered), ${duplicateCount} duplicates`,
    `ledger: ${JSON.stringify(report.ledger)}`,
    `contradictions: ${report.contradictions.length}`,
  ].join("\n");
}

interface CrashRun {
  dataDir: string;
  /** Grows with every start. */
  startCount: number;
  book: SentBook;
  random: Random;
  past: MadeEnvelope[];
  startsWithBacklog: number;
}

/** Each starts the server, kills it, and says when. */
const KILLS: Record<Moment, (run: CrashRun) => Promise<string>> = {
  async starting(run) {
    const afterMs = run.random.whole(450);
    await start(run, { onSpawn: ({ pid }) => void killAfter(pid, afterMs) }).catch(() => null);
    return `${afterMs} ms after its begin`;
  },

  /** The stores are being opened, or a backlog is read again. */
  async started(run) {
    const server = await start(run);
    await noteBacklog(run, server);
    const load = startLoad({ ...loadOf(run, server), pauseMs: 8 });
    const afterMs = run.random.whole(400);
    await sleep(afterMs);
    await server.kill9();
    await load.stop();
    return `${afterMs} ms after it accepted`;
  },

  async digesting(run) {
    const server = await start(run, { waitFor: "pages" });
    const load = startLoad({ ...loadOf(run, server), pauseMs: 20 });
    const afterMs = 50 + run.random.whole(700);
    await Promise.all([sleep(afterMs), whenAnswered(run)]);
    await server.kill9();
    await load.stop();
    return `${afterMs} ms or more under load`;
  },

  /** More comes than the digest can take at once; and the next start finds it. */
  async backlog(run) {
    const server = await start(run);
    await noteBacklog(run, server);
    const load = startLoad({ ...loadOf(run, server), pauseMs: 0, senderCount: 2 * SENDER_COUNT });
    const afterMs = 100 + run.random.whole(350);
    await Promise.all([sleep(afterMs), whenAnswered(run)]);
    await server.kill9();
    await load.stop();
    return `${afterMs} ms or more under more load than it can digest`;
  },
};

/** With one map thread and with three by turns, on the same data. */
const DIGEST_THREADS = [1, 3];

function start(run: CrashRun, options: TestServerOptions = {}): Promise<TestServer> {
  const threads = DIGEST_THREADS[run.startCount++ % DIGEST_THREADS.length];
  return startServer({
    dataDir: run.dataDir,
    waitFor: "events",
    ...options,
    // Its own reports would be part of the backlog that is waited for.
    env: { SENTRY_DSN: "off", LOG_LEVEL: "info", DIGEST_THREADS: String(threads) },
  });
}

function loadOf({ book, random, past }: CrashRun, server: TestServer) {
  return { url: server.url, dsn: server.dsn ?? "", book, random, past, senderCount: SENDER_COUNT };
}

async function killAfter(pid: number, afterMs: number): Promise<void> {
  await sleep(afterMs);
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

async function whenAnswered({ book }: CrashRun): Promise<void> {
  const before = countAnswered(book);
  await waitFor("answers", async () => countAnswered(book) >= before + MIN_ANSWERED);
}

function countAnswered({ events }: SentBook): number {
  return [...events.values()].filter(({ answeredCount }) => answeredCount > 0).length;
}

async function noteBacklog(run: CrashRun, server: TestServer): Promise<void> {
  if ((await readBacklog(server)) > 0) run.startsWithBacklog++;
}

async function compareInTheEnd(run: CrashRun): Promise<Verdict> {
  const { dataDir, book, random } = run;
  const server = await start(run, { waitFor: "pages" });
  try {
    await waitFor("the backlog", async () => (await readBacklog(server)) === 0, DRAIN_TIMEOUT_MS);
    const verdict = await findContradictions(server, book, { random, sampleCount: SAMPLE_COUNT });
    const projectId = Number(projectIdOf(server));
    await server.stop();
    const items = await readStoredItems(dataDir, projectId);
    const contradictions = [
      ...verdict.contradictions,
      ...findItemContradictions(book, items, verdict),
      ...findSetAside(dataDir),
    ];
    return { ...verdict, contradictions };
  } finally {
    await server.kill9();
  }
}

/** No record may be taken for the culprit of a death that came from outside. */
function findSetAside(dataDir: string): string[] {
  const folder = join(dataDir, "journal", "set-aside");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} was set aside`);
}
