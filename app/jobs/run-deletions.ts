import type { Log } from "../log.server.ts";

/**
 * Runs steps that delete something and return how much. If one fails, the others still run.
 * @throws after all steps were tried, an error that names those that failed
 */
export async function runDeletions(
  steps: Readonly<Record<string, () => Promise<number>>>,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<"worked" | "idle"> {
  const deleted: Record<string, number> = {};
  const failures: Array<{ what: string; error: unknown }> = [];
  for (const [what, step] of Object.entries(steps)) {
    if (signal.aborted) break;
    try {
      const count = await step();
      if (count > 0) deleted[what] = count;
    } catch (error) {
      failures.push({ what, error });
    }
  }
  const isIdle = Object.keys(deleted).length === 0;
  if (!isIdle) log.info(deleted, "deleted what was too old");
  if (failures.length > 0) {
    const words = failures.map(({ what, error }) => `${what}: ${error instanceof Error ? error.message : error}`);
    throw new AggregateError(
      failures.map(({ error }) => error),
      words.join("; "),
    );
  }
  return isIdle ? "idle" : "worked";
}
