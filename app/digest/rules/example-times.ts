import { MINUTE_MS } from "../../domain/time.ts";

/** How long a filter keeps its example before the next one may replace it. */
const EXAMPLE_EVERY_MS = 10 * MINUTE_MS;
const MAX_EXAMPLES_NOTED = 10_000;

/** When the last example was made, by project and reason. */
export class ExampleTimes {
  readonly #lastAt = new Map<string, number>();

  /** True at most every ten minutes. */
  isDue({ projectId, reason, receivedAt }: { projectId: number; reason: string; receivedAt: number }): boolean {
    const key = `${projectId} ${reason}`;
    const last = this.#lastAt.get(key);
    if (last !== undefined && receivedAt < last + EXAMPLE_EVERY_MS) return false;
    if (this.#lastAt.size >= MAX_EXAMPLES_NOTED) this.#lastAt.clear();
    this.#lastAt.set(key, receivedAt);
    return true;
  }
}
