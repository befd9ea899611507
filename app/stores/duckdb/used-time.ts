interface Used {
  /** The used time at the instant `at`. */
  ms: number;
  at: number;
  running: number;
}

/** The half-life of used time. */
const HALF_MS = 20_000;
/** The used time of an asker who keeps one connection busy all the time. */
const FULL_MS = HALF_MS / Math.LN2;
/** A little more than that. An asker who keeps two connections busy reaches it after 21 seconds. */
const HEAVY_MS = 30_000;
/** Askers with less are forgotten. */
const LEAST_MS = 1;
const MANY_ASKERS = 100;

/** Measures for how long each asker has used connections lately, in milliseconds. */
export class UsedTime {
  readonly #now: () => number;
  readonly #used = new Map<string, Used>();

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(asker: string): void {
    const used = this.#count(asker);
    used.running++;
    this.#used.set(asker, used);
    if (this.#used.size > MANY_ASKERS) this.#forget();
  }

  end(asker: string): void {
    const used = this.#count(asker);
    used.running--;
    this.#used.set(asker, used);
  }

  of(asker: string): number {
    return this.#count(asker).ms;
  }

  /** The number of connections that the asker has now. */
  running(asker: string): number {
    return this.#used.get(asker)?.running ?? 0;
  }

  /** Whether the asker used more time than one connection can give. */
  isHeavy(asker: string): boolean {
    return this.of(asker) >= HEAVY_MS;
  }

  /** Whether no other asker has used a connection in the last minutes. */
  isAlone(asker: string): boolean {
    for (const other of this.#used.keys()) if (other !== asker && this.of(other) >= LEAST_MS) return false;
    return true;
  }

  #count(asker: string): Used {
    const at = this.#now();
    const before = this.#used.get(asker);
    if (before === undefined) return { ms: 0, at, running: 0 };
    const left = 2 ** ((before.at - at) / HALF_MS);
    before.ms = before.ms * left + before.running * (1 - left) * FULL_MS;
    before.at = at;
    return before;
  }

  #forget(): void {
    for (const [asker, { running }] of this.#used)
      if (running === 0 && this.of(asker) < LEAST_MS) this.#used.delete(asker);
  }
}
