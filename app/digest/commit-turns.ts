/** A commit that has waited so long goes before those of lanes that come first. */
const MAX_WAIT_MS = 1_000;

interface Waiting {
  rank: number;
  since: number;
  begin(): void;
}

/**
 * Lets one commit happen after the other. Of those that wait, the one with the lowest rank is next. Whoever has waited for a second goes
 * before that, so that a lane which never ends does not keep the others waiting forever.
 */
export class CommitTurns {
  #isTaken = false;
  readonly #waiting: Waiting[] = [];
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async run<Result>(rank: number, commit: () => Promise<Result>): Promise<Result> {
    if (this.#isTaken) await new Promise<void>((begin) => this.#waiting.push({ rank, since: this.#now(), begin }));
    this.#isTaken = true;
    try {
      return await commit();
    } finally {
      this.#pass();
    }
  }

  #pass(): void {
    const next = this.#findNext();
    if (next === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.begin();
  }

  #findNext(): Waiting | undefined {
    // The first of them has waited longest.
    const [oldest] = this.#waiting;
    if (oldest === undefined || this.#now() - oldest.since >= MAX_WAIT_MS) return oldest;
    return this.#waiting.reduce((first, each) => (each.rank < first.rank ? each : first));
  }
}
