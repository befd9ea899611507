/** The time between two marks at the start. */
const MARK_EVERY_MS = 1000;
/** Above this number, every second mark is dropped, and the time between later marks doubles. */
const MAX_MARKS = 4096;

interface Mark {
  /** The first record that became durable at `at` or, until the next mark, later. */
  sequence: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** Remembers when records became durable, to tell since when the oldest one that is not applied has waited. */
export class BacklogAge {
  /** Oldest first. The oldest record that is not applied became durable at the first mark or after it. */
  readonly #marks: Mark[];
  #everyMs = MARK_EVERY_MS;

  /** `sequence`, `since`: the oldest record that was there before this process, and when its segment was last written. */
  constructor(sequence: number, since: number) {
    this.#marks = [{ sequence, at: since }];
  }

  /** Records from `sequence` on are durable at `now`. */
  add(sequence: number, now: number): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && now - last.at < this.#everyMs) return;
    this.#marks.push({ sequence, at: now });
    if (this.#marks.length <= MAX_MARKS) return;
    const kept = this.#marks.filter((_, index) => index % 2 === 0);
    this.#marks.splice(0, this.#marks.length, ...kept);
    this.#everyMs *= 2;
  }

  /**
   * Since when the oldest record has waited: milliseconds since 1970, too early by at most the time between marks.
   * `applied`: records below are applied, and forgotten.
   */
  oldestAt(applied: number): number {
    const first = this.#marks.findLastIndex(({ sequence }) => sequence <= applied);
    if (first > 0) this.#marks.splice(0, first);
    if (this.#marks.length === 1) this.#everyMs = MARK_EVERY_MS;
    return this.#marks[0]?.at ?? 0;
  }
}
