import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseDayFileName, verifyDayFile } from "../stores/duckdb/day-file.ts";
import { ignoreMissing } from "../stores/files/sharded-files.ts";
import type { Finding } from "./finding.ts";

/** Reads every value of every file of a day, and compares it with what was written. */
export async function checkDays(dir: string): Promise<Finding[]> {
  const names = ((await ignoreMissing(readdir(dir))) ?? []).filter((name) => parseDayFileName(name) !== null).sort();
  if (names.length === 0) return [];
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: "256MB",
    threads: "1",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const findings: Finding[] = [];
  try {
    const connection = await instance.connect();
    for (const name of names) {
      const path = join(dir, name);
      try {
        await verifyDayFile(connection, path);
      } catch (error) {
        // One that was written again, or expired, while it was read.
        const isThere = ((await ignoreMissing(readdir(dir))) ?? []).includes(name);
        if (!isThere) continue;
        findings.push({
          path,
          what: `it is damaged: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`,
          means:
            "spans or logs of its day are lost, or some read as other values; a running server sets the file aside",
          cure: "put this one file back from a backup, and restart the server; without one, go on: pages say what is missing",
        });
      }
    }
  } finally {
    instance.closeSync();
  }
  return findings;
}
