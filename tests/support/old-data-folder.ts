import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { toCutoffs } from "../../app/domain/stored-signal.ts";
import { openDuckdbEventStore } from "../../app/stores/duckdb/open-duckdb-event-store.ts";
import { openPayloadFiles } from "../../app/stores/files/open-payload-files.ts";

/**
 * Data folders that earlier versions wrote, named by their commits.
 * 62382ff of November 22, 2026: errors of four issues, one of them resolved and one event of it sent twice, an attachment, a transaction, a
 * session, a check-in, logs, feedback, a client report and an item of an unknown type.
 * b53d02e of November 23, 2026, the last version that stored spans and logs whole: transactions with and without spans, one of them sent
 * twice, one with ids that no row can hold, a container of spans, a span alone, logs, an error. Some parts of these no row can hold.
 * Both were killed (SIGKILL) right after they had answered their last request, with their databases in the write-ahead logs.
 */
export function unpackOldFolder(commit: "62382ff" | "b53d02e", dir: string): void {
  const archive = fileURLToPath(new URL(`../fixtures/data-folder-${commit}.tar.gz`, import.meta.url));
  mkdirSync(dir, { recursive: true });
  const { status, stderr } = spawnSync("tar", ["xzf", archive, "-C", dir]);
  if (status !== 0) throw new Error(String(stderr));
}

/** The event store and the payload files of such a folder, with a state that has deleted and counted nothing. */
export async function openOldStores(dir: string) {
  const mark = join(dir, "payloads", "data-folder");
  // The older one has no marks yet.
  const id = existsSync(mark) ? readFileSync(mark, "utf8").trim() : "00112233445566778899aabbccddeeff";
  const events = await openDuckdbEventStore({
    path: join(dir, "events.duckdb"),
    tempDir: join(dir, "temp"),
    folder: { id, statePath: join(dir, "state.sqlite"), hasStored: true, journals: [] },
  });
  const payloads = await openPayloadFiles({ dir: join(dir, "payloads") });
  return {
    events,
    payloads,
    deletions: { findDeleted: async () => new Set<string>(), listDeletedProjects: async () => [] as number[] },
    damage: {
      noteDamaged: async () => 0,
      sumHeld: async () => [],
      noteLost: async () => 0,
      sumLost: async () => [],
      noteFound: async () => 0,
    },
    expirations: { expiredUpTo: async () => toCutoffs(() => 0) },
    positions: async () => ({ state: [], events: [] }),
    async close() {
      await payloads.close();
      await events.close();
    },
  };
}

/** Rows of an event store that nobody has open, as JSON. */
export async function readStoredRows(dir: string, sql: string): Promise<Array<Record<string, unknown>>> {
  const instance = await DuckDBInstance.create(join(dir, "events.duckdb"));
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
