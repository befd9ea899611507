/** The batches of a lane between their reading and their commit: some are mapped at the same time, one is committed, all in their order. */
export class BatchPipeline {
  readonly #width: number;
  readonly #onProgress: () => void;
  #mappingCount = 0;
  /** Not committed yet. */
  readonly #open = new Set<Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  /**
   * @param width how many batches are mapped at the same time.
   * @param onProgress called when there may be room for another one
   */
  constructor(width: number, onProgress: () => void) {
    this.#width = width;
    this.#onProgress = onProgress;
  }

  /** Commits the batch once it is mapped and those before it are committed. Resolves after it; rejects when any of them failed. */
  add<Mapped>(mapped: Promise<Mapped>, commit: (batch: Mapped) => Promise<void>): Promise<void> {
    const before = this.#last;
    this.#mappingCount++;
    const mapping = mapped.finally(() => {
      this.#mappingCount--;
      this.#onProgress();
    });
    const committed = (async () => {
      const batch = await mapping;
      await before;
      await commit(batch);
    })().finally(() => {
      this.#open.delete(committed);
      this.#onProgress();
    });
    this.#open.add(committed);
    this.#last = committed;
    return committed;
  }

  /** Whether another batch may be added: as many wait for their commit as are mapped, at most. */
  get hasRoom(): boolean {
    return this.#mappingCount < this.#width && this.#open.size <= this.#width;
  }

  /** Whether a batch is under way. */
  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** Until nothing is under way any more. Rejects when the last batch was not committed. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#open);
    await this.#last;
  }
}
