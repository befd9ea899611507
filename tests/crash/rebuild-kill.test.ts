import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import { eventId, NOON, projects, toRowBatch } from "../../app/stores/event-store-contract/fixture.ts";
import { encodeLoggedMoves, encodeLoggedRows } from "../../app/stores/events/row-log.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { openRebuildFolder } from "./rebuild-folder.ts";
import { commitRecords, digestRecords, EVENTS, JOURNAL, makeEvent } from "./rebuild-rows.ts";

/** With those that come while the store is rebuilt. */
const ALL_EVENTS = EVENTS + Math.ceil(EVENTS / 20);
const KILLS = 8;
const ROWS = `
  SELECT * EXCLUDE (ordinal, payload_file, payload_offset, payload_index) FROM events ORDER BY occurred_at, ordinal`;
const ITEMS = `
  SELECT * EXCLUDE (ordinal, identity_ordinal, payload_file, payload_offset, payload_index)
  FROM items ORDER BY occurred_at, ordinal`;
const SPANS = "SELECT * EXCLUDE (ordinal) FROM spans ORDER BY started_us, ordinal";
const LOGS = "SELECT * EXCLUDE (ordinal) FROM logs ORDER BY occurred_us, ordinal";

/** Batches of every size, appends that a crash has cut off, repeats, moves, items without an identity. */
async function fill(dir: string): Promise<void> {
  const { events, payloads, ...others } = await openRebuildFolder(dir);
  // A store that was never there is one that was lost, too: state has stored events.
  await rebuildEvents({ events, payloads, ...others });
  let from = 0;
  for (let count = 1; from < EVENTS; count = (count * 7) % 1_993 || 1) {
    const upTo = Math.min(EVENTS, from + count);
    await commitRecords({ events, payloads }, { from, upTo, isCutOff: from % 5 === 3 });
    from = upTo;
  }
  const moves = Array.from({ length: EVENTS / 100 }, (_, index) => ({
    projectId: 1,
    eventId: eventId(index * 100),
    issueId: 500,
    title: "moved",
  }));
  for (const title of ["moved once", "moved twice"]) {
    const moved = moves.map((move) => ({ ...move, title }));
    await payloads.append([], {
      receivedAt: NOON,
      signal: "errors",
      entry: Promise.resolve(encodeLoggedMoves({ at: NOON, moves: moved })),
    });
    await events.moveEvents(moved);
  }
  await payloads.close();
  await events.close();
}

/** The number of rows and a hash of them, in the order in which pages show them. */
async function readRows(dir: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(join(dir, "events.duckdb"), { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const read: string[] = [];
  for (const sql of [ROWS, ITEMS, SPANS, LOGS]) {
    const result = await connection.stream(`SELECT to_json(row)::VARCHAR FROM (${sql}) AS row`);
    const hash = createHash("sha256");
    let count = 0;
    for await (const rows of result.yieldRows()) {
      for (const [row] of rows) hash.update(`${row}\n`);
      count += rows.length;
    }
    read.push(`${count} ${hash.digest("hex")}`);
  }
  connection.closeSync();
  instance.closeSync();
  return read;
}

/**
 * `killAfter.steps` counts what the process says that it has written, `killAfter.digested` is passed by a record that it has digested; the kill
 * comes somewhere in what follows. Records up to `upTo` are digested meanwhile.
 */
async function rebuildUntil(
  dir: string,
  killAfter: { steps?: number; digested?: number; ms: number } | null,
  { upTo = 0 }: { upTo?: number } = {},
): Promise<{ isKilled: boolean; rows: number; digested: number }> {
  const script = fileURLToPath(new URL("./rebuild-until-killed.ts", import.meta.url));
  const child = spawn(process.execPath, [script, dir, `${upTo}`], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  let isDue = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (killAfter === null || isDue) return;
    const { steps = Number.POSITIVE_INFINITY, digested = Number.POSITIVE_INFINITY, ms } = killAfter;
    const lines = printed.split("\n").slice(0, -1);
    // The first line says that the store is open.
    isDue = lines.length > steps || lines.some((line) => Number(line.split(" ")[1] ?? 0) > digested);
    if (isDue) setTimeout(() => child.kill("SIGKILL"), ms);
  });
  const [code, signal] = await once(child, "close");
  if (signal !== "SIGKILL") expect(code).toBe(0);
  const last = printed.slice(0, printed.lastIndexOf("\n")).split("\n").at(-1) ?? "";
  const [rows = "0", digested = "0"] = last.replace("done ", "").replace("open", "0").split(" ");
  return { isKilled: signal === "SIGKILL", rows: Number(rows), digested: Number(digested) };
}

test("a store that is rebuilt with crashes on the way, while events come, is the lost one with these, row by row", {
  timeout: 400_000 + EVENTS * 5,
}, async () => {
  using data = makeTempFolder();
  const dir = join(data.path, "lost");
  await fill(dir);
  const lost = await readRows(dir);
  expect(lost[0]).toMatch(new RegExp(`^${EVENTS - EVENTS / 100} `));
  expect(lost.slice(2)).toEqual([
    expect.stringMatching(new RegExp(`^${(EVENTS / 10) * 3} `)),
    expect.stringMatching(new RegExp(`^${(EVENTS / 10) * 2} `)),
  ]);
  expect((await readdir(join(dir, "payloads"))).length).toBeGreaterThan(3);

  // The same events in a store that is never lost.
  const whole = join(data.path, "whole");
  await cp(dir, whole, { recursive: true });
  const stores = await openRebuildFolder(whole);
  await digestRecords(stores, { upTo: ALL_EVENTS });
  await stores.payloads.close();
  await stores.events.close();
  const expected = await readRows(whole);
  expect(expected).not.toEqual(lost);

  await writeFile(join(dir, "events.duckdb"), "x".repeat(50_000));
  let kills = 0;
  let rows = 0;
  let digested = 0;
  let killsOfDigests = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // Some records come in each of the processes.
    const upTo = EVENTS + Math.ceil(((ALL_EVENTS - EVENTS) * (kill + 1)) / (KILLS + 1));
    const isOfDigest = kill % 2 === 1;
    const when = isOfDigest ? { digested: Math.max(EVENTS, digested) } : { steps: kill % 4 };
    const run = await rebuildUntil(dir, { ...when, ms: (kill * 7) % 20 }, { upTo });
    if (!run.isKilled) break;
    kills++;
    if (isOfDigest) killsOfDigests++;
    digested = Math.max(digested, run.digested);
    // It goes on where it was: what a process had written is not begun again by the next one.
    if (run.rows > 0) expect(run.rows).toBeGreaterThanOrEqual(rows);
    rows = Math.max(rows, run.rows);
  }
  expect(kills).toBeGreaterThan(2);
  expect(killsOfDigests).toBeGreaterThan(1);
  await rebuildUntil(dir, null, { upTo: ALL_EVENTS });
  expect(await readRows(dir)).toEqual(expected);
  expect(await readdir(join(dir, "damaged"))).toHaveLength(1);

  const { events, payloads, ...others } = await openRebuildFolder(dir);
  expect(events.rebuild.state()).toBeNull();
  expect(await events.appliedSequence(JOURNAL)).toBe(ALL_EVENTS);
  const asked = [0, 2, Math.floor(EVENTS / 3) + 2, EVENTS - 2, EVENTS, ALL_EVENTS - 2].filter(
    (each) => each % 100 !== 1,
  );
  for (const sequence of asked) {
    const row = await events.getEvent(makeEvent(sequence).eventId, projects(1));
    const payload = row && (await payloads.read(row.payload));
    expect(Buffer.from(payload ?? []).toString()).toBe(`{"event":${sequence}}`);
  }
  expect(await events.listEnvironments(projects(1))).toEqual(["production"]);
  await payloads.close();
  await events.close();

  // Its files say the same as those of a store that was never lost.
  await rm(join(dir, "events.duckdb"));
  const again = await openRebuildFolder(dir);
  await rebuildEvents({ ...again, ...others });
  await again.payloads.close();
  await again.events.close();
  expect(await readRows(dir)).toEqual(expected);
});

test.each(["missing", "empty", "cut off", "cut off in its headers", "found damaged while it was open"])(
  "a store is made again that is %s",
  async (how) => {
    using data = makeTempFolder();
    const dir = data.path;
    const path = join(dir, "events.duckdb");
    const first = await openRebuildFolder(dir);
    const batch = toRowBatch({ journalId: JOURNAL, upTo: 3, events: [0, 1, 2].map(makeEvent) });
    const entry = Promise.resolve(encodeLoggedRows({ ...batch, from: 0 }, (place) => place));
    // A store that was never there is one that was lost, too: state has stored events.
    await rebuildEvents(first);
    await first.payloads.append(
      [0, 1, 2].map(() => Buffer.from("{}")),
      { receivedAt: NOON, signal: "errors", entry },
    );
    await first.events.append(batch);
    await first.payloads.close();
    await first.events.close();
    const lost = await readRows(dir);
    if (how === "missing") await rm(path);
    if (how === "empty") await truncate(path, 0);
    if (how === "cut off") await truncate(path, 14_000);
    if (how === "cut off in its headers") await truncate(path, 5_000);
    if (how.startsWith("found")) await writeFile(`${path}.damaged`, "a block has a wrong checksum");
    const { rows } = await rebuildUntil(dir, null);
    expect(rows).toBe(3);
    expect(await readRows(dir)).toEqual(lost);
    // What was there is kept.
    const kept = await readdir(join(dir, "damaged")).catch(() => []);
    expect(kept.filter((name) => name.endsWith(".duckdb"))).toHaveLength(how === "missing" ? 0 : 1);
  },
);
