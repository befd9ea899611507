/**
 * Users are counted exactly among so many events, and estimated (HyperLogLog, a few per cent off) among more: counting
 * the users of a million events per hour takes DuckDB 50 to 100 ms and 60 MB, estimating them 15 ms.
 */
export const EXACT_USERS_EVENTS = 250_000;

const MAX_NOTED_ISSUES = 10_000;

/**
 * Issues that were seen to have more. To know how to count users one must ask for the number of events first, which takes
 * as long as counting the users of most issues: so that is done only where it was worth it before.
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
