import { open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";

/** Puts the content at the path, at once and as a whole: a crash leaves the old file. Its name is durable once its folder is synced. */
export async function replaceFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const file = await open(`${path}.new`, "w", mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** Makes the names in the folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in the folder, and in all folders below it, durable. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncFolder(folder);
}
