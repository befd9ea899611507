import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { JobRuns } from "../job-store.ts";
import { type CreateStateDatabase, NOON } from "./fixture.ts";

function runsOf(name: string, change: Partial<JobRuns> = {}): JobRuns {
  return {
    name,
    runs: 1,
    failures: 0,
    startedAt: NOON,
    durationMs: 20,
    nextDueAt: NOON + MINUTE_MS,
    lastFailure: null,
    ...change,
  };
}

export function describeJobs(createDatabase: CreateStateDatabase): void {
  test("a lease is its owner's until it ends, and can be renewed", async () => {
    await using database = await createDatabase();
    const [one, two] = [(await database.connect()).jobs, (await database.connect()).jobs];
    const request = { names: ["a", "b"], now: NOON, until: NOON + MINUTE_MS };
    expect((await one.lease({ ...request, owner: "one" })).sort()).toEqual(["a", "b"]);
    expect(await two.lease({ ...request, owner: "two", names: ["b", "c"] })).toEqual(["c"]);
    const later = { names: ["a", "b"], now: NOON + MINUTE_MS - 1, until: NOON + 2 * MINUTE_MS };
    expect(await one.lease({ ...later, owner: "one", names: ["a"] })).toEqual(["a"]);
    expect(await two.lease({ ...later, owner: "two", now: NOON + MINUTE_MS })).toEqual(["b"]);
    expect((await one.listJobs()).map(({ name, owner, leasedUntil }) => [name, owner, leasedUntil])).toEqual([
      ["a", "one", NOON + 2 * MINUTE_MS],
      ["b", "two", NOON + 2 * MINUTE_MS],
      ["c", "two", NOON + MINUTE_MS],
    ]);
  });

  test("leases are released, of one owner or of all", async () => {
    await using database = await createDatabase();
    const { jobs } = await database.connect();
    for (const [owner, names] of [
      ["one", ["a"]],
      ["two", ["b"]],
      ["three", ["c"]],
    ] as const)
      await jobs.lease({ owner, names, now: NOON, until: NOON + MINUTE_MS });
    await jobs.releaseLeases("one");
    expect((await jobs.listJobs()).map(({ owner }) => owner)).toEqual([null, "two", "three"]);
    await jobs.releaseLeases(null);
    expect((await jobs.listJobs()).map(({ owner, leasedUntil }) => [owner, leasedUntil])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });

  test("runs are added up, and the last failure stays until there is another", async () => {
    await using database = await createDatabase();
    const { jobs } = await database.connect();
    await jobs.saveRuns([
      runsOf("a", { runs: 5, failures: 1, lastFailure: { at: NOON, message: "x".repeat(2_000) } }),
      runsOf("b"),
    ]);
    await jobs.saveRuns([runsOf("a", { startedAt: NOON + 1, durationMs: 7, nextDueAt: NOON + 9 })]);
    expect(await jobs.listJobs()).toEqual([
      {
        name: "a",
        owner: null,
        leasedUntil: null,
        runs: 6,
        failures: 1,
        lastStartedAt: NOON + 1,
        lastDurationMs: 7,
        nextDueAt: NOON + 9,
        lastFailure: { at: NOON, message: "x".repeat(1_000) },
      },
      expect.objectContaining({ name: "b", runs: 1, failures: 0, lastFailure: null }),
    ]);
  });
}
