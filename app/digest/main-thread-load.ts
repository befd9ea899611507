import { closeSync, openSync, readSync } from "node:fs";

/** Often enough for a burst. A look takes 2 µs. */
const LOOK_EVERY_MS = 20;
/** The weight of a new sample in the share. The share then covers about the last 200 ms. */
const WEIGHT = 0.1;

/**
 * How busy the accepting thread is, measured from another thread of the process. Linux has the times of each thread in /proc. On other
 * systems the share is 0.
 */
export class MainThreadLoad {
  readonly #file: number | null;
  readonly #text = Buffer.alloc(96);
  #lookedAt = performance.now();
  #busyMs: number;
  #share = 0;

  constructor(path = `/proc/self/task/${process.pid}/schedstat`) {
    this.#file = open(path);
    this.#busyMs = this.#readBusyMs();
  }

  /** The share of the time that it was at work or waited for a core, from 0 to 1. */
  get busyShare(): number {
    const now = performance.now();
    const passedMs = now - this.#lookedAt;
    if (this.#file === null || passedMs < LOOK_EVERY_MS) return this.#share;
    const busyMs = this.#readBusyMs();
    const share = Math.min(1, (busyMs - this.#busyMs) / passedMs);
    // A late sample also counts for the samples that were missed.
    const old = (1 - WEIGHT) ** (passedMs / LOOK_EVERY_MS);
    this.#share = old * this.#share + (1 - old) * share;
    this.#busyMs = busyMs;
    this.#lookedAt = now;
    return this.#share;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  /** The file has nanoseconds at work, nanoseconds of waiting for a core, and a count. */
  #readBusyMs(): number {
    if (this.#file === null) return 0;
    const length = readSync(this.#file, this.#text, 0, this.#text.length, 0);
    const [ran, waited] = this.#text.toString("latin1", 0, length).split(" ");
    return (Number(ran) + Number(waited)) / 1e6;
  }
}

function open(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}
