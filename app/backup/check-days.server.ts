import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../missing-file.ts";
import { parseDayFileName, verifyDayFile } from "../stores/duckdb/day-file.ts";
import { isSameSlice } from "../stores/duckdb/foreign-day-file.ts";
import type { Finding } from "./finding.ts";

const CURE =
  "put this one file back from a backup, and restart the server; without one, go on: pages say what is missing";

/** Reads every value of every day file, and compares it with what was written. */
export async function checkDays(dir: string): Promise<Finding[]> {
  const names = (await listDays(dir)).sort();
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
        // The file was rewritten, or expired, while it was read.
        if (!(await listDays(dir)).includes(name)) continue;
        findings.push({
          path,
          what: `it is damaged: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`,
          means:
            "spans or logs of its day are lost, or some read as other values; a running server sets the file aside",
          cure: CURE,
        });
      }
    }
  } finally {
    instance.closeSync();
  }
  return findings;
}

/** Files of days that are not there: a server has set them aside as damaged, or the event database counts on them. */
export async function checkMissingDays(
  { days, damaged }: { days: string; damaged: string },
  noted: readonly string[],
): Promise<Finding[]> {
  const [there, aside] = await Promise.all([listDays(days), listDays(damaged)]);
  return (
    [...new Set([...noted, ...aside])]
      // A rewritten file has another name.
      .filter((name) => !there.some((each) => isSameSlice(parseDayFileName(each), parseDayFileName(name))))
      .sort()
      .map((name) => ({
        path: join(days, name),
        what: aside.includes(name)
          ? `it was damaged, and what is left of it lies in ${damaged}`
          : "the file is missing",
        means: "no search, list or trace has its rows, spans or logs of that day",
        cure: CURE,
      }))
  );
}

async function listDays(dir: string): Promise<string[]> {
  return ((await ignoreMissing(readdir(dir))) ?? []).filter((name) => parseDayFileName(name) !== null);
}
