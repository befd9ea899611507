import { Worker } from "node:worker_threads";

/** Deterministic chance: the same seed and case number give the same input on every machine. */
export interface Chance {
  /** At least 0, below `end`. */
  int(end: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function createChance(seed: number, caseNumber: number): Chance {
  // mulberry32 (public domain), started from both numbers.
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(caseNumber + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (end: number) => Math.floor(next() * end);
  return {
    int,
    oneIn: (times) => int(times) === 0,
    pick(from) {
      const picked = from[int(from.length)];
      if (picked === undefined && from.length === 0) throw new Error("nothing to pick from");
      return picked as (typeof from)[number];
    },
  };
}

/** How many cases all fuzz tests run together; `FUZZ_COUNT` says otherwise. The default takes about 15 seconds. */
const DEFAULT_COUNT = 140_000;
const STALL_MS = 60_000;

export interface FuzzRun {
  seed: number;
  count: number;
  /** Runs each case, so many at a time; what one throws is thrown again with what repeats it. */
  each(test: (chance: Chance, caseNumber: number) => void | Promise<void>, concurrency?: number): Promise<void>;
}

/** `share`: which part of all cases this test runs. `FUZZ_SEED` and `FUZZ_CASE` repeat a run, or one case of it. */
export function createFuzzRun(name: string, share: number): FuzzRun {
  const seed = Number(process.env.FUZZ_SEED) || Math.floor(Math.random() * 2 ** 31);
  const count = Math.max(100, Math.round((Number(process.env.FUZZ_COUNT) || DEFAULT_COUNT) * share));
  const only = process.env.FUZZ_CASE === undefined ? null : Number(process.env.FUZZ_CASE);
  return {
    seed,
    count,
    async each(test, concurrency = 1) {
      console.log(`fuzz ${name}: ${only === null ? `${count} cases` : `case ${only}`}, FUZZ_SEED=${seed}`);
      using watch = watchForStalls(name, seed);
      const end = only === null ? count : only + 1;
      let next = only ?? 0;
      async function lane(): Promise<void> {
        while (next < end) {
          const caseNumber = next++;
          watch.running(caseNumber);
          try {
            const running = test(createChance(seed, caseNumber), caseNumber);
            if (running instanceof Promise) await running;
          } catch (cause) {
            next = end;
            throw new Error(`FUZZ_SEED=${seed} FUZZ_CASE=${caseNumber} repeats this: ${cause}`, { cause });
          }
        }
      }
      await Promise.all(Array.from({ length: concurrency }, lane));
    },
  };
}

/** A hang in code that never yields cannot be timed out from its own thread: another one ends the process. */
function watchForStalls(name: string, seed: number): Disposable & { running(caseNumber: number): void } {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const script = `
    const { workerData } = require("node:worker_threads");
    const { shared, name, seed, stallMs } = workerData;
    let last = -1;
    setInterval(() => {
      const now = Atomics.load(shared, 0);
      if (now === last) {
        require("node:fs").writeSync(2, "fuzz " + name + " hangs: FUZZ_SEED=" + seed + " FUZZ_CASE=" + now + "\\n");
        process.kill(process.pid, "SIGKILL");
      }
      last = now;
    }, stallMs);`;
  const worker = new Worker(script, { eval: true, workerData: { shared, name, seed, stallMs: STALL_MS } });
  worker.unref();
  return {
    running: (caseNumber) => {
      Atomics.store(shared, 0, caseNumber);
    },
    [Symbol.dispose]() {
      void worker.terminate();
    },
  };
}
