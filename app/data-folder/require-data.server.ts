import { existsSync } from "node:fs";
import { dataPaths } from "./data-paths.ts";
import { requireFolder } from "./require-folder.server.ts";

/**
 * For commands that work on what is there. To be asked before the lock, which would make the folder, and a restore into it
 * would be refused then.
 *
 * @throws when the folder holds nothing of Culprit's. One that has lost a part holds the others.
 */
export function requireData(dataDir: string): void {
  requireFolder(dataDir, "set DATA_DIR");
  if (!holdsData(dataDir)) throw new Error(`there is no data of Culprit in ${dataDir}: set DATA_DIR`);
}

export function holdsData(dataDir: string): boolean {
  const { state, payloads, journal, events } = dataPaths(dataDir);
  return [state, payloads, journal, events].some((path) => existsSync(path));
}
