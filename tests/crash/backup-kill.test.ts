import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRandom } from "../../bench/random.ts";
import { projectIdOf, waitFor } from "../support/api.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer } from "../support/start-server.ts";
import { findContradictions, findItemContradictions } from "./find-contradictions.ts";
import type { MadeEnvelope } from "./made-envelope.ts";
import { readBacklog } from "./read-backlog.ts";
import { readStoredItems } from "./read-stored-items.ts";
import { startLoad } from "./send-load.ts";
import { type Answers, createSentBook, type SentBook } from "./sent-book.ts";

/** Twenty take two minutes and more: too long for every run of the whole suite. */
const killCount = Number(process.env.BACKUP_KILL_COUNT) || 1;
const seed = Number(process.env.CRASH_SEED) || Math.floor(Math.random() * 2 ** 31);
const ENV = { SENTRY_DSN: "off", LOG_LEVEL: "info" };
const SENDER_COUNT = 4;

/** Answered so often when the backup began. */
type Promised = ReadonlyMap<Answers, number>;

function notePromises(book: SentBook): Promised {
  const entries: Answers[] = [...book.events.values(), ...book.items.values()];
  return new Map(entries.map((entry) => [entry, entry.answeredCount]));
}

/** The book as the backup must know it: what was answered later may be in it, or not. */
function asOf(book: SentBook, promised: Promised): SentBook {
  const narrow = <Entry extends Answers>(entry: Entry): Entry => {
    const answeredCount = promised.get(entry) ?? 0;
    return { ...entry, answeredCount, unansweredCount: entry.unansweredCount + entry.answeredCount - answeredCount };
  };
  const events = new Map([...book.events].map(([key, entry]) => [key, narrow(entry)]));
  const items = new Map([...book.items].map(([key, entry]) => [key, narrow(entry)]));
  return { events, items, refusals: book.refusals };
}

test(`backups under load, ${killCount} of them killed or left by their server: each that is there is whole, and has what was accepted before it`, {
  timeout: 300_000 + killCount * 40_000,
}, async () => {
  console.info(`CRASH_SEED=${seed}`);
  const random = createRandom(seed);
  const root = mkdtempSync(join(tmpdir(), "culprit-backup-kill-"));
  const dataDir = join(root, "data");
  const folder = join(root, "backups");
  const book = createSentBook();
  const past: MadeEnvelope[] = [];
  const promisedBy = new Map<string, Promised>();
  const load = (server: { url: string; dsn: string | null }) =>
    startLoad({ url: server.url, dsn: server.dsn ?? "", book, random, past, senderCount: SENDER_COUNT, pauseMs: 25 });
  const whole = () => readdirSync(folder).filter((name) => name.endsWith("Z"));
  let [finished, broken, typicalMs] = [0, 0, 0];
  try {
    // The first one and the last one are left alone; the first tells how long one takes here.
    for (let round = 0; round <= killCount + 1; round++) {
      const isKilled = round > 0 && round <= killCount;
      const server = await startServer({ dataDir, env: ENV });
      const sending = load(server);
      await sleep(300 + random.whole(500));
      const known = new Set(round === 0 ? [] : whole());
      const startedAt = performance.now();
      const promised = notePromises(book);
      const backup = runCommand("backup", dataDir, [folder, "--keep", "1000"]);
      if (isKilled) {
        await sleep(random.whole(Math.ceil(typicalMs)));
        if (round % 2 === 0) backup.kill9();
        else await server.kill9();
      }
      const { code, stderr } = await backup;
      if (code === 0) finished++;
      else broken++;
      // What a server leaves behind is told in a sentence.
      if (code !== 0 && round % 2 === 1) expect(stderr).toMatch(/^culprit: .*(?:try again|cannot be reached)/);
      if (!isKilled) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      if (round === 0) typicalMs = performance.now() - startedAt;
      for (const name of whole()) if (!known.has(name)) promisedBy.set(name, promised);
      await sending.stop();
      await server.kill9();
    }
    console.info(`${finished} backups were finished, ${broken} were not; ${book.events.size} events sent`);

    const names = [...promisedBy.keys()].sort();
    expect(whole().sort()).toEqual(names);
    const toRestore = new Set([names[0], names[names.length >> 1], names.at(-1)]);
    for (const name of names) {
      const checked = await runCommand("check", dataDir, [join(folder, name)]);
      expect(checked).toMatchObject({ code: 0, stderr: "" });
      if (!toRestore.has(name)) continue;
      const target = join(root, `restored-${name}`);
      expect(await runCommand("restore", dataDir, [join(folder, name), target])).toMatchObject({ code: 0 });
      const expected = asOf(book, promisedBy.get(name) ?? new Map());
      expect({ name, contradictions: await compare(target, expected) }).toEqual({ name, contradictions: [] });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }

  async function compare(target: string, expected: SentBook): Promise<string[]> {
    const server = await startServer({ dataDir: target, env: ENV });
    try {
      await waitFor("the backlog", async () => (await readBacklog(server)) === 0, 120_000);
      const verdict = await findContradictions(server, expected, { random, sampleCount: 100 });
      const projectId = Number(projectIdOf(server));
      await server.stop();
      const items = await readStoredItems(target, projectId);
      return [...verdict.contradictions, ...findItemContradictions(expected, items, verdict)];
    } finally {
      await server.kill9();
    }
  }
});
