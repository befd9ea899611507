import type { ReadLimit } from "../../domain/read-limit.ts";

/** The limit that a failed read has reached. Null: it failed for another reason. */
export function findLimit(error: unknown): ReadLimit | null {
  if (!(error instanceof Error)) return null;
  if (error.message.startsWith("INTERRUPT Error")) return "time";
  return saysNoMemory(error) ? "memory" : null;
}

/** Whether a statement or a commit failed because DuckDB's memory was full. */
export function saysNoMemory(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Out of Memory Error|TransactionContext Error: Failed to commit: (?:could not allocate|failed to (?:pin|allocate)))/.test(
      error.message,
    )
  );
}
