import { startServer, type TestServer, type TestServerOptions } from "../tests/support/start-server.ts";
import type { Figure } from "./figure.ts";
import { type CpuUse, watchCpu } from "./machine.ts";

export interface BenchOptions {
  /** Shorter, for a first look: the figures are rougher. */
  isQuick: boolean;
  /** Folder of a server with many events, made when it is missing; null: one that goes afterwards. */
  dataDir: string | null;
  /** Which events are sent where several kinds are measured, as `10kB.plain`; null: all. */
  variants: readonly string[] | null;
  /** How many events are stored before page times are measured. */
  storedEvents: number;
  /** How many spans, and how many log lines, are stored before pages of them are measured. */
  storedSignals: number;
  /** Where servers write a CPU profile of each of their threads when they stop; null: nowhere. */
  profileDir: string | null;
  /** Says what goes on; never a figure. */
  say(text: string): void;
}

export interface Measured {
  figures: Figure[];
  cpu: CpuUse | null;
}

/** One part of the benchmark; starts what it needs, and leaves nothing behind. */
export interface Measurement {
  name: string;
  what: string;
  run(options: BenchOptions): Promise<Measured>;
}

/** A server as people start it, profiled when the options say so. */
export async function startBenchServer(bench: BenchOptions, options: TestServerOptions = {}): Promise<TestServer> {
  const profile = bench.profileDir === null ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${bench.profileDir}` };
  // Passwords cost what they cost people; empty: as it is by default. Tests want both otherwise.
  const server = await startServer({
    ...options,
    hasSlowPasswords: true,
    env: { SENTRY_TRACES_SAMPLE_RATE: "", ...profile, ...options.env },
  });
  if (bench.profileDir === null) return server;
  // Only a process that ends by itself writes its profiles.
  const stop = async () => void (await server.stop());
  return { ...server, [Symbol.asyncDispose]: stop };
}

/** The DSN of the server's first project. */
export function requireDsn(server: TestServer): string {
  if (server.dsn === null) throw new Error("the server has no project");
  return server.dsn;
}

/** How much of the machine others took while several things were measured: the largest share counts. */
export class CpuUses {
  #worst: CpuUse | null = null;

  /** Watches the processes while the function runs. */
  async during<Result>(
    pids: readonly number[],
    run: () => Promise<Result>,
  ): Promise<{ result: Result; cpu: CpuUse | null }> {
    const stop = watchCpu(pids);
    const result = await run();
    const cpu = stop();
    if (cpu && (!this.#worst || cpu.others > this.#worst.others)) this.#worst = cpu;
    return { result, cpu };
  }

  get worst(): CpuUse | null {
    return this.#worst;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
