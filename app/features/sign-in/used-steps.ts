/** A step of a sign-in that a browser has brought back. */
export interface Step {
  identifier: string;
  /** Milliseconds since 1970. */
  keptAt: number;
}

/**
 * Knows used steps until they expire. Above `maxSteps` it forgets the step that was used first. From then on it refuses all steps that are
 * as old. So a flood makes slow people begin again, and nobody can use a step twice.
 */
export class UsedSteps {
  readonly #limits: { maxSteps: number; keptMs: number };
  /** When each used step was kept, in the order in which they were used. */
  readonly #used = new Map<string, number>();
  #forgottenUpTo = Number.NEGATIVE_INFINITY;

  constructor(limits: { maxSteps: number; keptMs: number }) {
    this.#limits = limits;
  }

  has({ identifier, keptAt }: Step): boolean {
    return keptAt <= this.#forgottenUpTo || this.#used.has(identifier);
  }

  /** False: the step was used before, or may have been. */
  take(step: Step, now: number): boolean {
    if (this.has(step)) return false;
    const { maxSteps, keptMs } = this.#limits;
    for (const [known, keptAt] of this.#used) {
      const isOver = keptAt + keptMs <= now;
      if (!isOver && this.#used.size < maxSteps) break;
      if (!isOver) this.#forgottenUpTo = Math.max(this.#forgottenUpTo, keptAt);
      this.#used.delete(known);
    }
    this.#used.set(step.identifier, step.keptAt);
    return true;
  }
}
