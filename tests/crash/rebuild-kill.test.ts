import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { rebuildEvents } from "../../app/jobs/rebuild-events.ts";
import { event, eventId, item, NOON, projects, toRowBatch } from "../../app/stores/event-store-contract/fixture.ts";
import { log, span, spanId } from "../../app/stores/event-store-contract/span-fixture.ts";
import { encodeLoggedMoves, encodeLoggedRows } from "../../app/stores/events/row-log.ts";
import type { RowsByTable } from "../../app/stores/events/rows.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { openRebuildFolder } from "./rebuild-folder.ts";

const EVENTS = Number(process.env.REBUILD_EVENTS ?? 20_000);
const KILLS = 8;
const JOURNAL = "rebuilt";
const ROWS = `
  SELECT * EXCLUDE (ordinal, payload_file, payload_offset, payload_index) FROM events ORDER BY occurred_at, ordinal`;
const ITEMS = `
  SELECT * EXCLUDE (ordinal, identity_ordinal, payload_file, payload_offset, payload_index)
  FROM items ORDER BY occurred_at, ordinal`;
const SPANS = "SELECT * EXCLUDE (ordinal) FROM spans ORDER BY started_us, ordinal";
const LOGS = "SELECT * EXCLUDE (ordinal) FROM logs ORDER BY occurred_us, ordinal";

/** Many events at the same instant: their order is that of their arrival. */
const instantOf = (sequence: number) => NOON + Math.floor(sequence / 50);

function makeEvent(sequence: number) {
  return event(sequence, {
    at: instantOf(sequence),
    issueId: 1 + (sequence % 97),
    title: sequence % 1_009 === 0 ? `holds \x1f and \x1c, ${sequence}` : `Error ${sequence % 97}`,
    userKey: sequence % 3 === 0 ? null : `id:${sequence % 1_000}`,
    environment: sequence % 2 === 0 ? "production" : null,
    release: `shop@1.${sequence % 7}`,
    traceId: eventId(sequence * 31),
    tags: [
      ["browser.name", sequence % 2 === 0 ? "Firefox" : "Chrome"],
      ["plan", `${sequence % 5}`],
    ],
  });
}

/** Three of each tenth sequence: one transaction, its root first. */
function makeSpans(sequence: number) {
  return [0, 1, 2].map((place) =>
    span(sequence, {
      receivedAt: instantOf(sequence),
      startedUs: instantOf(sequence) * 1000 + place,
      category: "transaction",
      form: place === 0 ? "root" : "v1",
      traceId: eventId(sequence * 31),
      spanId: spanId(sequence * 3 + place + 1),
      parentSpanId: place === 0 ? null : spanId(sequence * 3 + 1),
      isSegment: place === 0,
      environment: sequence % 2 === 0 ? "production" : null,
      attributes: place === 1 ? JSON.stringify({ "holds \x1f and \x1c": sequence }) : null,
    }),
  );
}

function makeLogs(sequence: number) {
  return [0, 1].map((place) =>
    log(sequence, {
      receivedAt: instantOf(sequence),
      occurredUs: instantOf(sequence) * 1000,
      tieBreaker: place,
      body: `line ${place} of ${sequence}, with \x1f and \n`,
      level: sequence % 3 === 0 ? "warn" : "info",
    }),
  );
}

/** Batches of every size, appends that a crash has cut off, repeats, moves, items without an identity. */
async function fill(dir: string): Promise<void> {
  const { events, payloads } = await openRebuildFolder(dir);
  let from = 0;
  for (let count = 1; from < EVENTS; count = (count * 7) % 1_993 || 1) {
    const upTo = Math.min(EVENTS, from + count);
    const sequences = Array.from({ length: upTo - from }, (_, index) => from + index);
    const batch = toRowBatch({
      journalId: JOURNAL,
      upTo,
      events: sequences.map(makeEvent),
      items: sequences
        .filter((sequence) => sequence % 40 === 0)
        .map((sequence) => item(sequence, { at: instantOf(sequence) })),
      spans: sequences.filter((sequence) => sequence % 10 === 3).flatMap(makeSpans),
      logs: sequences.filter((sequence) => sequence % 10 === 7).flatMap(makeLogs),
    });
    // The second of each hundred came before.
    const leftOut = sequences.flatMap((sequence, index) => (sequence % 100 === 1 ? [index] : []));
    const stored = {
      ...batch,
      leftOut,
      environments: [{ projectId: 1, environment: "production", seenAt: instantOf(from) }],
    };
    const bodies = sequences.map((sequence) => Buffer.from(`{"event":${sequence}}`));
    const [eventRows] = batch.rows;
    const rowsOf = (table: string) => batch.rows.filter((rows) => rows.table === table);
    const itemRows = rowsOf("items");
    const itemBodies = itemRows.flatMap(({ items }) => Array.from(items, () => Buffer.from("item")));
    // As a commit writes them: an entry for each signal, in files of its own.
    const append = async () => {
      const entry = (rows: RowsByTable, firstPlace: number) =>
        Promise.resolve(encodeLoggedRows({ ...stored, rows, from }, (place) => place - firstPlace));
      const receivedAt = instantOf(from);
      await payloads.append(bodies, { receivedAt, signal: "errors", entry: entry(eventRows ? [eventRows] : [], 0) });
      if (itemRows.length > 0)
        await payloads.append(itemBodies, { receivedAt, signal: "attachments", entry: entry(itemRows, bodies.length) });
      // Rows without a payload.
      for (const signal of ["spans", "logs"] as const)
        if (rowsOf(signal).length > 0)
          await payloads.append([], { receivedAt, signal, entry: entry(rowsOf(signal), 0) });
    };
    const isCutOff = from % 5 === 3;
    if (isCutOff) await append();
    await append();
    await events.append(stored);
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

/** `killAfter.steps` counts what the process says that it has written; the kill comes somewhere in what follows. */
async function rebuildUntil(
  dir: string,
  killAfter: { steps: number; ms: number } | null,
): Promise<{ isKilled: boolean; rows: number }> {
  const script = fileURLToPath(new URL("./rebuild-until-killed.ts", import.meta.url));
  const child = spawn(process.execPath, [script, dir], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const had = printed.split("\n").length - 1;
    printed += text;
    if (killAfter === null || had > killAfter.steps) return;
    // The first line says that the store is open.
    if (printed.split("\n").length - 1 > killAfter.steps) setTimeout(() => child.kill("SIGKILL"), killAfter.ms);
  });
  const [code, signal] = await once(child, "close");
  if (signal !== "SIGKILL") expect(code).toBe(0);
  const lines = printed.slice(0, printed.lastIndexOf("\n")).split("\n");
  return { isKilled: signal === "SIGKILL", rows: Number(lines.at(-1)?.replace("done ", "").replace("open", "0")) };
}

test("a store that is rebuilt with crashes on the way is the lost one, row by row", {
  timeout: 400_000 + EVENTS * 5,
}, async () => {
  using data = makeTempFolder();
  const dir = data.path;
  await fill(dir);
  const lost = await readRows(dir);
  expect(lost[0]).toMatch(new RegExp(`^${EVENTS - EVENTS / 100} `));
  expect(lost.slice(2)).toEqual([
    expect.stringMatching(new RegExp(`^${(EVENTS / 10) * 3} `)),
    expect.stringMatching(new RegExp(`^${(EVENTS / 10) * 2} `)),
  ]);
  expect((await readdir(join(dir, "payloads"))).length).toBeGreaterThan(3);
  await writeFile(join(dir, "events.duckdb"), "x".repeat(50_000));

  let kills = 0;
  let rows = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const run = await rebuildUntil(dir, { steps: kill % 4, ms: (kill * 7) % 20 });
    if (!run.isKilled) break;
    kills++;
    // It goes on where it was: what a process had written is not begun again by the next one.
    if (run.rows > 0) expect(run.rows).toBeGreaterThan(rows);
    rows = Math.max(rows, run.rows);
  }
  expect(kills).toBeGreaterThan(2);
  await rebuildUntil(dir, null);
  expect(await readRows(dir)).toEqual(lost);
  expect(await readdir(join(dir, "damaged"))).toHaveLength(1);

  const { events, payloads } = await openRebuildFolder(dir);
  expect(events.rebuild.state()).toBeNull();
  expect(await events.appliedSequence(JOURNAL)).toBe(EVENTS);
  for (const sequence of [0, 2, Math.floor(EVENTS / 3) + 2, EVENTS - 2].filter((each) => each % 100 !== 1)) {
    const row = await events.getEvent(eventId(sequence), projects(1));
    const payload = row && (await payloads.read(row.payload));
    expect(Buffer.from(payload ?? []).toString()).toBe(`{"event":${sequence}}`);
  }
  expect(await events.listEnvironments(projects(1))).toEqual(["production"]);
  await payloads.close();
  await events.close();
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
