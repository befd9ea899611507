import type { Log } from "../log.server.ts";

/**
 * Deletes in steps. Each step says how much it deleted. The others run even if one fails.
 * @throws naming the steps that failed, when all of them were tried
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
