import type { Reader } from "./duckdb-reader.ts";

/** The connections that read. Each runs one query at a time; what comes more waits its turn. */
export class ReaderPool {
  readonly #readers: readonly Reader[];
  readonly #idle: Reader[];
  readonly #waiting: Array<(reader: Reader) => void> = [];
  #lastHold: Promise<unknown> = Promise.resolve();

  constructor(readers: readonly Reader[]) {
    this.#readers = readers;
    this.#idle = [...readers];
  }

  async use<Result>(query: (reader: Reader) => Promise<Result>): Promise<Result> {
    const reader = await this.#take();
    try {
      return await query(reader);
    } finally {
      this.#giveBack(reader);
    }
  }

  /** Runs without any read beside it. One at a time: two would wait for each other's readers. */
  hold<Result>(action: (readers: readonly Reader[]) => Promise<Result>): Promise<Result> {
    const result = this.#lastHold.then(async () => {
      await Promise.all(this.#readers.map(() => this.#take()));
      try {
        return await action(this.#readers);
      } finally {
        for (const reader of this.#readers) this.#giveBack(reader);
      }
    });
    this.#lastHold = result.catch(() => undefined);
    return result;
  }

  #take(): Promise<Reader> {
    const reader = this.#idle.pop();
    if (reader) return Promise.resolve(reader);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(reader: Reader): void {
    const next = this.#waiting.shift();
    if (next) next(reader);
    else this.#idle.push(reader);
  }
}
