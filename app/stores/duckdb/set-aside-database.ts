import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ignoreMissing } from "../../missing-file.ts";
import { eventDatabaseFiles } from "./database-files.ts";

/** Damaged databases that are kept. Older ones are deleted, because a disk that damages files again and again must not fill up. */
const KEPT = 2;

/** The folder in which damaged files of a data folder are kept for inspection. */
function damagedDir(path: string): string {
  return join(dirname(path), "damaged");
}

/** Moves a database and its logs to `damaged/`, under a name with the time. Returns the new path of the database. */
export async function setAsideDatabase(path: string, now: number): Promise<string> {
  const dir = damagedDir(path);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const target = join(dir, `${new Date(now).toISOString().replaceAll(":", "-")}-${basename(path)}`);
  const targets = eventDatabaseFiles(target);
  // The logs move first. After a crash in between, a database without logs is left, which is still damaged, or moves at the next start.
  for (const [at, source] of [...eventDatabaseFiles(path).entries()].reverse())
    await ignoreMissing(rename(source, targets[at] as string));
  const databases = (await readdir(dir)).filter((name) => name.endsWith(basename(path))).sort();
  for (const name of databases.slice(0, -KEPT))
    for (const old of eventDatabaseFiles(join(dir, name))) await rm(old, { force: true });
  await rm(damageMark(path), { force: true });
  return target;
}

/** The file that marks damage that was found while the server ran: the next start sets the database aside. */
function damageMark(path: string): string {
  return `${path}.damaged`;
}

/** Null: no damage was found. */
export async function readDamageMark(path: string): Promise<string | null> {
  const reason = await ignoreMissing(readFile(damageMark(path), "utf8"));
  return reason === null ? null : reason.trim();
}

export async function writeDamageMark(path: string, reason: string): Promise<void> {
  await writeFile(damageMark(path), `${reason}\n`);
}
