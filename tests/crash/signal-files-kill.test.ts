import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { commitBatch } from "../../app/digest/commit-batch.ts";
import { digestRecords } from "../../app/digest/digest-records.ts";
import { toMappedBatch } from "../../app/digest/mapped-batch.ts";
import { toCutoffs } from "../../app/domain/stored-signal.ts";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { makeSignalRecords, openSignalFolder, SIGNAL_JOURNAL } from "./signal-records.ts";

const CHILD = join(import.meta.dirname, "commit-until-killed.ts");
const TABLES = ["events", "items", "spans", "logs"];

/** Goes on from the journal as a digest does, in batches of so many records. */
async function digestRest(
  { state, events, payloads }: Awaited<ReturnType<typeof openSignalFolder>>,
  { atOnce }: { atOnce: number },
): Promise<void> {
  const records = makeSignalRecords();
  const applied = {
    state: await state.batches.appliedSequence(SIGNAL_JOURNAL),
    events: await events.appliedSequence(SIGNAL_JOURNAL),
    ahead: await events.appliedAhead(SIGNAL_JOURNAL),
  };
  for (let from = Math.min(applied.state, applied.events); from < records.length; from += atOnce) {
    const batch = records.slice(from, from + atOnce);
    await commitBatch({ state, events, payloads }, toMappedBatch(digestRecords(batch)), {
      journalId: SIGNAL_JOURNAL,
      upTo: from + batch.length,
      applied,
    });
  }
}

async function rebuild({ state, events, payloads }: Awaited<ReturnType<typeof openSignalFolder>>): Promise<void> {
  await rebuildEvents({
    events,
    payloads,
    deletions: state.deletionWork,
    damage: {
      noteDamaged: async () => 0,
      sumHeld: async () => [],
      noteLost: async () => 0,
      sumLost: async () => [],
      noteFound: async () => 0,
    },
    expirations: { expiredUpTo: async () => toCutoffs(() => 0) },
    positions: async () => ({ state: [], events: [] }),
  });
}

async function close({ state, events, payloads }: Awaited<ReturnType<typeof openSignalFolder>>): Promise<void> {
  await events.close();
  await payloads.close();
  await state.close();
}

async function readRows(dir: string): Promise<Record<string, string[]>> {
  const instance = await DuckDBInstance.create(join(dir, "events.duckdb"), { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const read: Record<string, string[]> = {};
  for (const table of TABLES) {
    const reader = await connection.runAndReadAll(
      `SELECT to_json(row)::VARCHAR FROM (
         SELECT COLUMNS(name -> name NOT IN ('ordinal', 'identity_ordinal', 'payload_file', 'payload_offset', 'payload_index')) FROM ${table}
       ) AS row ORDER BY 1`,
    );
    read[table] = reader.getRows().map(([row]) => String(row));
  }
  connection.closeSync();
  instance.closeSync();
  return read;
}

/** The rows of a store that was never lost. */
async function readWhole(dir: string): Promise<Record<string, string[]>> {
  const stores = await openSignalFolder(dir);
  await rebuild(stores);
  await digestRest(stores, { atOnce: 5 });
  await close(stores);
  return await readRows(dir);
}

test.each([
  { written: ["errors"], cutAt: 0, atOnce: 100 },
  { written: ["errors"], cutAt: 5, atOnce: 2 },
  { written: ["logs"], cutAt: 5, atOnce: 100 },
  { written: ["errors", "attachments", "transactions"], cutAt: 7, atOnce: 1 },
])(
  "after kill -9 when only $written of a batch are in their files, and the loss of the event store, all rows come back",
  async ({ written, cutAt, atOnce }) => {
    using whole = makeTempFolder();
    const expected = await readWhole(whole.path);
    expect(TABLES.map((table) => expected[table]?.length)).toEqual([4, 10, 12, 24]);

    using data = makeTempFolder();
    const child = spawn(process.execPath, [CHILD, data.path, `${cutAt}`, ...written], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [, signal] = await once(child, "close");
    expect(signal).toBe("SIGKILL");

    for (let loss = 0; loss < 2; loss++) {
      await rm(join(data.path, "events.duckdb"));
      const stores = await openSignalFolder(data.path);
      await rebuild(stores);
      if (loss === 0) {
        // The journal brings the rest, and nothing twice.
        expect(await stores.events.appliedSequence(SIGNAL_JOURNAL)).toBe(cutAt);
        await digestRest(stores, { atOnce });
      }
      await close(stores);
      expect(await readRows(data.path)).toEqual(expected);
    }
  },
);
