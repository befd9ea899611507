import { stat } from "node:fs/promises";

/** Whether the error says that a file or a folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Null when the file does not exist, or no longer exists. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The bytes of a file. Null: it does not exist, or no longer exists. */
export async function findSize(path: string): Promise<number | null> {
  return (await ignoreMissing(stat(path)))?.size ?? null;
}
