/** The number of small batches that may be under way. A checkpoint blocks the event store, and more batches arrive during it. */
const MAX_SMALL = 8;
/** All small batches together have fewer records than this. */
const FEW_RECORDS = 250;

/**
 * The batches of a lane, from the moment they are read until they are stored. Several are mapped at the same time. They are committed one
 * after the other. When one is committed, those before it may still wait for the event store.
 */
export class BatchPipeline {
  readonly #width: number;
  readonly #onProgress: () => void;
  #mappingCount = 0;
  /** Batches that are not stored yet, with the number of their records. */
  readonly #open = new Map<Promise<void>, number>();
  #last: Promise<void> = Promise.resolve();
  /** Batches that are not logged yet. */
  #unloggedCount = 0;
  #lastLogged: Promise<void> = Promise.resolve();

  /**
   * @param width how many batches are mapped at the same time.
   * @param onProgress called when there may be room for another one
   */
  constructor(width: number, onProgress: () => void) {
    this.#width = width;
    this.#onProgress = onProgress;
  }

  /**
   * Commits the batch once it is mapped and those before it are logged. Resolves when it is stored, after those before it; rejects when any
   * of them failed.
   *
   * @param commit calls `onLogged` when the next batch may be committed beside what is left of this one; at its end at the latest
   */
  add<Mapped>(
    mapped: Promise<Mapped>,
    commit: (batch: Mapped, onLogged: () => void) => Promise<void>,
    recordCount: number,
  ): Promise<void> {
    const [before, loggedBefore] = [this.#last, this.#lastLogged];
    this.#mappingCount++;
    this.#unloggedCount++;
    const mapping = mapped.finally(() => {
      this.#mappingCount--;
      this.#onProgress();
    });
    const logged = Promise.withResolvers<void>();
    const stored = (async () => {
      const batch = await mapping;
      await loggedBefore;
      await commit(batch, logged.resolve);
      await before;
    })().finally(() => {
      this.#open.delete(stored);
      this.#onProgress();
    });
    stored.then(logged.resolve, logged.reject);
    this.#open.set(stored, recordCount);
    this.#last = stored;
    this.#lastLogged = logged.promise.finally(() => {
      this.#unloggedCount--;
      this.#onProgress();
    });
    this.#lastLogged.catch(() => undefined);
    return stored;
  }

  /**
   * Whether another batch may be added. Two things limit it: the batches that are being mapped are fewer than the width; and the batches
   * under way are at most as many as the width, or fewer than `MAX_SMALL` with few records in all.
   */
  get hasRoom(): boolean {
    if (this.#mappingCount >= this.#width) return false;
    if (this.#open.size <= this.#width) return true;
    const records = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    return this.#open.size < MAX_SMALL && records < FEW_RECORDS;
  }

  /** Whether a batch is under way that another would have to wait for. */
  get isBusy(): boolean {
    return this.#unloggedCount > 0;
  }

  /** Whether everything is logged, and only the event store's answer is missing. */
  get isStoring(): boolean {
    return this.#open.size > 0 && this.#unloggedCount === 0;
  }

  /** Resolves when nothing is under way any more. Rejects when the last batch was not committed. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#open.keys());
    await this.#last;
  }
}
