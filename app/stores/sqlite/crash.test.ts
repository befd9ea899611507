import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { DAY_MS } from "../../domain/time.ts";
import { EVERYTHING, NOON, occurrence, query } from "../state/contract/fixture.ts";
import { createSqliteStateDatabase } from "./sqlite-state-database.ts";

const KILLS = 8;

function fixturePath(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
}

/** Runs the writer until it has printed a position and some more time has passed, then kills it; gives the last one. */
async function applyUntilKilled(path: string, moreMs: number): Promise<number> {
  const child = spawn(process.execPath, [fixturePath("apply-batches-until-killed"), path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await once(child.stdout, "data");
  const exit = once(child, "close");
  setTimeout(() => child.kill("SIGKILL"), moreMs);
  const [, signal] = await exit;
  expect(signal).toBe("SIGKILL");
  return Number(printed.trimEnd().split("\n").at(-1));
}

test("after a kill at any moment, position and counts agree, and nothing that was acknowledged is missing", async () => {
  await using database = await createSqliteStateDatabase();
  let position = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const acknowledged = await applyUntilKilled(database.path, 17 + kill * 23.7);
    const store = await database.connect();
    const applied = await store.batches.appliedSequence("crash");
    expect(applied).toBeGreaterThanOrEqual(acknowledged);
    expect(applied).toBeGreaterThan(position);
    expect(applied % 20).toBe(0);
    position = applied;

    // The journal gives the last records again, with new ones after them.
    const sequences = Array.from({ length: 30 }, (_, index) => applied - 10 + index);
    await store.batches.applyBatch({
      journalId: "crash",
      upTo: applied + 20,
      occurrences: sequences.map((sequence) =>
        occurrence(sequence, `hash-${sequence % 37}`, { userKey: `id:${sequence}` }),
      ),
      outcomes: [
        {
          sequence: applied,
          projectId: 1,
          category: "error",
          outcome: "accepted",
          reason: "",
          quantity: 20,
          receivedAt: NOON,
        },
      ],
    });
    const { issues } = await store.issues.listIssues(...query({ limit: 100 }));
    expect(issues.reduce((sum, issue) => sum + issue.eventCount, 0)).toBe(applied + 20);
    expect(issues.reduce((sum, issue) => sum + issue.userCount, 0)).toBe(applied + 20);
    const trends = await store.issues.listTrends(
      EVERYTHING,
      issues.map((issue) => issue.id),
      { from: NOON - DAY_MS, to: NOON + DAY_MS, bucketMs: DAY_MS },
    );
    expect([...trends.values()].flat().reduce((sum, count) => sum + count, 0)).toBe(applied + 20);
    const [accepted] = await store.outcomes.sumOutcomes(EVERYTHING, {
      from: 0,
      to: NOON + DAY_MS,
      bucketMs: null,
      groupBy: [],
    });
    expect(accepted?.quantity).toBe(applied + 20);
    await store.close();
  }
});

test("processes that open an empty database at once all find it ready", async () => {
  await using database = await createSqliteStateDatabase();
  const slugs = ["one", "two", "three", "four"];
  await Promise.all(
    slugs.map((slug) => promisify(execFile)(process.execPath, [fixturePath("open-and-close"), database.path, slug])),
  );
  const store = await database.connect();
  expect((await store.projects.listProjects(EVERYTHING)).map((project) => project.slug).sort()).toEqual(
    [...slugs].sort(),
  );
});
