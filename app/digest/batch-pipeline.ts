/** The batches between their reading and their commit: some are mapped at the same time, one is committed, all in their order. */
export class BatchPipeline {
  readonly #width: number;
  /** Oldest first. */
  readonly #mapping: Array<Promise<unknown>> = [];
  readonly #committing: Array<Promise<void>> = [];
  #last: Promise<void> = Promise.resolve();

  /** @param width how many batches are mapped at the same time. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Commits the batch once it is mapped and those before it are committed. Resolves after it; rejects when any of them failed. */
  add<Mapped>(mapped: Promise<Mapped>, commit: (batch: Mapped) => Promise<void>): Promise<void> {
    const before = this.#last;
    const committed = (async () => {
      const batch = await mapped;
      await before;
      await commit(batch);
    })();
    this.#last = committed;
    this.#mapping.push(mapped);
    this.#committing.push(committed);
    return committed;
  }

  /** Until another batch may be added: as many wait for their commit as are mapped, at most. */
  async room(): Promise<void> {
    if (this.#mapping.length >= this.#width) await this.#mapping.shift();
    if (this.#committing.length > this.#width) await this.#committing.shift();
  }

  /** Until nothing is under way any more. Rejects when the last batch was not committed. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#committing);
    await this.#last;
  }
}
