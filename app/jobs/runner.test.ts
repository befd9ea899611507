import { describe, expect, test } from "vitest";
import { ManualClock } from "../../tests/support/manual-clock.ts";
import type { Log } from "../log.server.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import type { JobStore } from "../stores/state/job-store.ts";
import { LEASE_MS } from "./job-table.ts";
import { type Job, RENEW_MS, startJobRunner, WOKEN_MS } from "./runner.ts";

const START = Date.UTC(2026, 4, 20, 12);

function collectLog() {
  const errors: object[] = [];
  const warnings: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (facts: object | string, message?: string) => void warnings.push(message ?? String(facts)),
    error: (facts: object | string) => void errors.push(typeof facts === "string" ? {} : facts),
    child: () => log,
  };
  return { log, errors, warnings };
}

async function start(
  jobs: Job[],
  { owner = "one", clock = new ManualClock(START), store: given = null as JobStore | null } = {},
) {
  const database = await createSqliteStateDatabase();
  const store = given ?? (await database.connect()).jobs;
  const { log, errors, warnings } = collectLog();
  const ran: Array<{ name: string; isFailed: boolean }> = [];
  const runner = startJobRunner({
    jobs,
    store,
    owner,
    clock,
    log,
    onRun: ({ name, isFailed }) => void ran.push({ name, isFailed }),
  });
  return {
    runner,
    store,
    clock,
    errors,
    warnings,
    ran,
    row: async (name: string) => (await store.listJobs()).find((job) => job.name === name),
    async [Symbol.asyncDispose]() {
      await runner.close({ withinMs: 1_000 });
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Says how often it ran, and takes its time from the clock. */
function makeJob(name: string, change: Partial<Job> & { tookMs?: number; clock?: ManualClock } = {}) {
  const runs: number[] = [];
  const { tookMs = 0, clock, ...fields } = change;
  const job: Job = {
    name,
    everyMs: 10_000,
    async run(signal) {
      runs.push(clock?.now() ?? 0);
      if (tookMs > 0 && clock) await clock.sleep(tookMs, signal);
      return "worked";
    },
    ...fields,
  };
  return { job, runs };
}

describe("the runner of background jobs", () => {
  test("runs a job after its first pause, and again after each end", async () => {
    const clock = new ManualClock(START);
    const { job, runs } = makeJob("slow", { everyMs: 10_000, firstAfterMs: 2_000, tookMs: 3_000, clock });
    await using world = await start([job], { clock });
    await clock.pass(1_999);
    expect(runs).toEqual([]);
    await clock.pass(1);
    await clock.pass(28_000);
    expect(runs).toEqual([START + 2_000, START + 15_000, START + 28_000]);
    expect(await world.row("slow")).toMatchObject({
      owner: "one",
      runs: 2,
      failures: 0,
      lastStartedAt: START + 15_000,
      lastDurationMs: 3_000,
      nextDueAt: START + 28_000,
      lastFailure: null,
    });
  });

  test("keeps the message of a failure, tries again sooner, and other jobs go on", async () => {
    const clock = new ManualClock(START);
    let isBroken = true;
    const broken = makeJob("broken", {
      retryMs: 1_000,
      async run() {
        if (isBroken) throw new Error("the disk is full");
        return "worked";
      },
    });
    const fine = makeJob("fine", { everyMs: 1_000, clock });
    await using world = await start([broken.job, fine.job], { clock });
    await clock.pass(10_500);
    expect(await world.row("broken")).toMatchObject({
      failures: 1,
      nextDueAt: START + 11_000,
      lastFailure: { at: START + 10_000, message: "the disk is full" },
    });
    expect(world.errors).toMatchObject([{ job: "broken" }]);
    isBroken = false;
    await clock.pass(600);
    expect(await world.row("broken")).toMatchObject({ runs: 2, failures: 1, lastStartedAt: START + 11_000 });
    expect((await world.row("broken"))?.lastFailure?.message).toBe("the disk is full");
    expect(fine.runs.length).toBeGreaterThanOrEqual(10);
    expect(world.ran.filter(({ isFailed }) => isFailed)).toEqual([{ name: "broken", isFailed: true }]);
  });

  test("wakes what has work after a run: once for several, again after a run under way, and not after a failure", async () => {
    const clock = new ManualClock(START);
    const first = makeJob("first", { everyMs: 60_000, firstAfterMs: 5_000, wakes: ["second"], clock });
    const second = makeJob("second", { everyMs: 10_000, firstAfterMs: 1_000, tookMs: 2_000, clock });
    const broken = makeJob("broken", { everyMs: 10_000, run: () => Promise.reject(new Error("no")) });
    await using world = await start([first.job, second.job, broken.job], { clock });
    await clock.pass(5_000 + WOKEN_MS);
    expect(second.runs).toEqual([START + 1_000, START + 5_000 + WOKEN_MS]);
    // It has taken up its work already.
    await clock.pass(500);
    world.runner.wake("second");
    world.runner.wake("second");
    const endsAt = START + 7_000 + WOKEN_MS;
    await clock.pass(4_000);
    expect(second.runs.slice(2)).toEqual([endsAt + WOKEN_MS]);
    await clock.pass(1_000);
    world.runner.wake("broken");
    await clock.pass(2_000);
    expect(world.ran.filter(({ isFailed }) => isFailed)).toHaveLength(1);
    await clock.pass(10_000);
    expect(second.runs.slice(3)).toEqual([endsAt + WOKEN_MS + 12_000]);
  });

  test("writes the first run at once, and later ones that did nothing with the renewal of the lease", async () => {
    const clock = new ManualClock(START);
    const idle = makeJob("idle", { everyMs: 1_000, run: async () => "idle" });
    await using world = await start([idle.job], { clock });
    await clock.pass(RENEW_MS - 500);
    expect(await world.row("idle")).toMatchObject({ runs: 1, lastStartedAt: START + 1_000 });
    await clock.pass(1_000);
    expect(await world.row("idle")).toMatchObject({ runs: 19, failures: 0 });
    await world.runner.close({ withinMs: 1_000 });
    expect(await world.row("idle")).toMatchObject({ runs: 20, owner: null });
  });

  test("writes a run that worked at once, unless the job comes again before the renewal of the lease", async () => {
    const { job: seldom } = makeJob("seldom", { everyMs: RENEW_MS, firstAfterMs: 1 });
    const { job: often } = makeJob("often", { everyMs: 6_000, firstAfterMs: 1 });
    await using world = await start([seldom, often]);
    const written = async () => [(await world.row("seldom"))?.runs, (await world.row("often"))?.runs];
    await world.clock.pass(1);
    expect(await written()).toEqual([1, 1]);
    await world.clock.pass(RENEW_MS - 2);
    expect(await written()).toEqual([1, 1]);
    await world.clock.pass(1);
    expect(await written(), "with the renewal").toEqual([1, 4]);
    await world.clock.pass(1);
    expect(await written()).toEqual([2, 4]);
  });

  test("leaves a job to the process that holds it, and takes over when that one is silent", async () => {
    const clock = new ManualClock(START);
    await using database = await createSqliteStateDatabase();
    const store = (await database.connect()).jobs;
    await store.lease({ owner: "another", names: ["shared"], now: START, until: START + LEASE_MS });
    const { job, runs } = makeJob("shared", { everyMs: 1_000, clock });
    await using _ = await start([job], { clock, store });
    await clock.pass(LEASE_MS - 1);
    expect(runs).toEqual([]);
    await clock.pass(2 * RENEW_MS);
    expect(runs.length).toBeGreaterThan(0);
    expect((await store.listJobs())[0]?.owner).toBe("one");
  });

  test("goes on at once when the clock is set ahead of its lease", async () => {
    const clock = new ManualClock(START);
    const { job, runs } = makeJob("steady", { everyMs: 1_000 });
    await using _ = await start([job], { clock });
    await clock.pass(RENEW_MS / 2);
    const before = runs.length;
    clock.setAhead(10 * LEASE_MS);
    await clock.pass(2_000);
    expect(runs.length).toBe(before + 2);
  });

  test("says once that its table cannot be written, and again when it fails anew", async () => {
    const clock = new ManualClock(START);
    await using database = await createSqliteStateDatabase();
    const { jobs } = await database.connect();
    let isFull = true;
    const store: JobStore = {
      ...jobs,
      saveRuns: async (rows) => {
        if (isFull) throw new Error("database or disk is full");
        await jobs.saveRuns(rows);
      },
    };
    const { job } = makeJob("job", { everyMs: RENEW_MS, firstAfterMs: 1, clock });
    await using world = await start([job], { clock, store });
    await clock.pass(5 * RENEW_MS);
    expect(world.errors).toHaveLength(1);
    isFull = false;
    await clock.pass(2 * RENEW_MS);
    isFull = true;
    await clock.pass(3 * RENEW_MS);
    expect(world.errors).toHaveLength(2);
  });

  test("runs nothing once its lease has ended unrenewed", async () => {
    const clock = new ManualClock(START);
    await using database = await createSqliteStateDatabase();
    const { jobs } = await database.connect();
    let isBroken = false;
    const store: JobStore = {
      ...jobs,
      lease: async (request) => {
        if (isBroken) throw new Error("database is locked");
        return await jobs.lease(request);
      },
    };
    const { job, runs } = makeJob("job", { everyMs: 1_000, clock });
    await using world = await start([job], { clock, store });
    await clock.pass(5_000);
    isBroken = true;
    await clock.pass(3 * LEASE_MS);
    expect(runs.at(-1)).toBeLessThan(START + LEASE_MS);
    expect(world.errors).toMatchObject([{ err: { message: "database is locked" } }]);
    isBroken = false;
    await clock.pass(3 * RENEW_MS);
    expect(runs.at(-1)).toBeGreaterThan(START + 3 * LEASE_MS);
  });

  test("a job is due when it was, though the process started again", async () => {
    const clock = new ManualClock(START);
    await using database = await createSqliteStateDatabase();
    const store = (await database.connect()).jobs;
    const hourly = makeJob("hourly", { everyMs: 3_600_000, firstAfterMs: 60_000, clock });
    const first = await start([hourly.job], { clock, store });
    await clock.pass(60_000);
    await first.runner.close({ withinMs: 1_000 });
    await clock.pass(1_800_000);
    await using _ = await start([hourly.job], { clock, store });
    await clock.pass(1_799_000);
    expect(hourly.runs).toHaveLength(1);
    await clock.pass(2_000);
    expect(hourly.runs).toHaveLength(2);
  });

  test("a clock that was set back delays no job for longer than its pause", async () => {
    const clock = new ManualClock(START);
    await using database = await createSqliteStateDatabase();
    const store = (await database.connect()).jobs;
    const inAYear = START + 365 * 86_400_000;
    await store.saveRuns([
      { name: "job", runs: 1, failures: 0, startedAt: inAYear, durationMs: 1, nextDueAt: inAYear, lastFailure: null },
    ]);
    const { job, runs } = makeJob("job", { everyMs: 10_000, firstAfterMs: 1, clock });
    await using _ = await start([job], { clock, store });
    await clock.pass(10_000);
    expect(runs).toEqual([START + 10_000]);
  });

  test("a stop waits for what is under way, and tells it to end", async () => {
    const clock = new ManualClock(START);
    const ended: string[] = [];
    const job: Job = {
      name: "long",
      everyMs: 1_000,
      async run(signal) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        ended.push("long");
        return "worked";
      },
    };
    await using world = await start([job], { clock });
    await clock.pass(1_000);
    await world.runner.close({ withinMs: 5_000 });
    expect(ended).toEqual(["long"]);
    expect(await world.row("long")).toMatchObject({ runs: 1, owner: null });
  });

  test("a stop gives up a job that does not end, and says so", async () => {
    const clock = new ManualClock(START);
    const job: Job = { name: "stuck", everyMs: 1_000, run: () => new Promise(() => {}) };
    await using world = await start([job], { clock });
    await clock.pass(1_000);
    const closed = world.runner.close({ withinMs: 5_000 });
    await clock.pass(5_000);
    await closed;
    expect(world.warnings).toEqual([expect.stringContaining("did not end in time")]);
  });
});
