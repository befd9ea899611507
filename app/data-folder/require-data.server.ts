import { existsSync } from "node:fs";
import { dataPaths } from "./data-paths.ts";

/**
 * For commands that work on what is there. To be asked before the lock, which would make the folder, and a restore into it
 * would be refused then.
 *
 * @throws when the folder holds nothing of Culprit's. One that has lost a part holds the others.
 */
export function requireData(dataDir: string): void {
  const { state, payloads, journal, events } = dataPaths(dataDir);
  if ([state, payloads, journal, events].some((path) => existsSync(path))) return;
  throw new Error(`there is no data of Culprit in ${dataDir}: set DATA_DIR`);
}
