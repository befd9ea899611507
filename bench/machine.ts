import { readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";

/** What figures were measured on; figures of different machines are not to be compared. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  os: string;
  node: string;
}

export function describeMachine(): Machine {
  const model = cpus()[0]?.model.trim() ?? "unknown";
  return {
    // Virtual machines often name no model, and then the family tells one generation from the other.
    cpu: `${model}${describeFamily()}`,
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
  };
}

export function renderMachine({ cpu, cores, memoryGiB, os, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${os}, Node ${node.slice(1)}`;
}

function describeFamily(): string {
  const text = readProc("/proc/cpuinfo") ?? "";
  const read = (name: string) => new RegExp(`^${name}\\s*: (.*)$`, "m").exec(text)?.[1];
  const [family, model, mhz] = [read("cpu family"), read("model"), read("cpu MHz")];
  return family && model ? ` (family ${family} model ${model}${mhz ? `, ${Math.round(Number(mhz))} MHz` : ""})` : "";
}

export interface ResidentMemory {
  residentBytes: number;
  /** Of it, what no file stands behind. */
  anonymousBytes: number;
}

/** Null where the system has no /proc. */
export function readResidentMemory(pid: number): ResidentMemory | null {
  const text = readProc(`/proc/${pid}/status`);
  if (text === null) return null;
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? Number.NaN) * 1024;
  return { residentBytes: read("VmRSS"), anonymousBytes: read("RssAnon") };
}

/** How the processors were used over a while, as shares of all cores; null where the system has no /proc. */
export interface CpuUse {
  /** Of the processes that were named, and of this one. */
  ours: number;
  /** Of everyone else: figures are worth little when this is large. */
  others: number;
  /** Seconds of one core that each process took, by id: these change little when others use the machine. */
  secondsOf: Record<number, number>;
}

/** Watches from now on, and gives the use up to the moment at which it is asked. The processes must live then. */
export function watchCpu(pids: readonly number[]): () => CpuUse | null {
  const read = () => {
    const machine = readMachineTicks();
    const ours = [process.pid, ...pids].map((pid) => [pid, readProcessTicks(pid) ?? Number.NaN] as const);
    return machine && { ...machine, ours: new Map(ours) };
  };
  const before = read();
  return () => {
    const after = read();
    if (before === null || after === null) return null;
    const total = Math.max(1, after.total - before.total);
    const secondsOf: Record<number, number> = {};
    let ticks = 0;
    for (const [pid, ticksAfter] of after.ours) {
      const spent = ticksAfter - (before.ours.get(pid) ?? Number.NaN);
      ticks += spent;
      secondsOf[pid] = spent / TICKS_PER_SECOND;
    }
    const ours = ticks / total;
    return { ours, others: Math.max(0, (after.busy - before.busy) / total - ours), secondsOf };
  };
}

/** `USER_HZ`: the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

function readMachineTicks(): { total: number; busy: number } | null {
  const line = readProc("/proc/stat")?.split("\n", 1)[0];
  if (!line) return null;
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted in user already.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const total = ticks.reduce((sum, each) => sum + each, 0);
  return { total, busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0) };
}

function readProcessTicks(pid: number): number | null {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name may contain anything, and stands in parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
