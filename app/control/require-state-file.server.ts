import { stat } from "node:fs/promises";
import { ignoreMissing } from "../missing-file.ts";

/** Opening it would make an empty one. @throws when there is none. */
export async function requireStateFile(path: string): Promise<void> {
  if (((await ignoreMissing(stat(path)))?.size ?? 0) === 0)
    throw new Error(`there is no ${path}: no server has run on this folder, or its state is lost`);
}
