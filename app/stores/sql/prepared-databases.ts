import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFile } from "../../durable-file.ts";
import { ignoreMissing } from "../../missing-file.ts";
import type { Migration } from "./migrations.ts";

/**
 * Where the build leaves an empty database of each engine, as its migrations make it: a first start copies them, which spares it an
 * eighth of its processor time (decision 090). What they hold is the same, and ids and keys come after it.
 */
export const PREPARED_DATABASES = fileURLToPath(new URL("../../../build/databases", import.meta.url));

export type PreparedEngine = "sqlite" | "duckdb";

/** @returns null: the build has left none, or one of other migrations */
export async function readPrepared(
  engine: PreparedEngine,
  migrations: readonly Migration[],
  folder = PREPARED_DATABASES,
): Promise<Uint8Array | null> {
  return ignoreMissing(readFile(join(folder, nameOf(engine, migrations))));
}

export async function writePrepared(
  engine: PreparedEngine,
  migrations: readonly Migration[],
  bytes: Uint8Array,
  folder = PREPARED_DATABASES,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, nameOf(engine, migrations)), bytes);
}

/** Tells what made it. */
function nameOf(engine: PreparedEngine, migrations: readonly Migration[]): string {
  const hash = createHash("sha256");
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`);
  return `${hash.digest("hex").slice(0, 16)}.${engine}`;
}
