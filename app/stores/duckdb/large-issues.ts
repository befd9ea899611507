/**
 * Users are counted exactly among up to this many events, and estimated (HyperLogLog, a few per cent off) among more. Counting the users of
 * a million events per hour takes DuckDB 50 to 100 ms and 60 MB; estimating them takes 15 ms.
 */
export const EXACT_USERS_EVENTS = 250_000;

const MAX_NOTED_ISSUES = 10_000;

/**
 * Issues that had more events. To choose how to count users, one must first count the events, which takes as long as counting the users of
 * most issues. So events are only counted first if it was worth it before.
 */
export class LargeIssues {
  readonly #issueIds = new Set<number>();

  has(issueId: number): boolean {
    return this.#issueIds.has(issueId);
  }

  /** `events`: of the issue, under some filter. */
  note(issueId: number | undefined, events: number): void {
    if (issueId === undefined || events <= EXACT_USERS_EVENTS) return;
    if (this.#issueIds.size === MAX_NOTED_ISSUES) this.#issueIds.clear();
    this.#issueIds.add(issueId);
  }
}
