import { setTimeout as sleep } from "node:timers/promises";
import { summarize } from "./distribution.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { formatNumber } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { readResidentMemory } from "./machine.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import { readMetrics } from "./server-metrics.ts";
import { openVisitor } from "./visitor.ts";

/** Of memory in steady use, in megabytes (10⁶ bytes). */
const GOAL_MB = 400;
const IDLE_GOAL_MB = 200;
const RATE = 1_000;
const SIZE_BYTES = 10_000;
const SAMPLE_MS = 500;
/** Someone has the issue list open, and looks again now and then. */
const LOOK_EVERY_MS = 5_000;

/** Resident memory of the whole process: at rest, and with 1,000 events a second and a person who looks on. */
export const measureMemory: Measurement = {
  name: "memory",
  what: `resident memory of the server process, and at ${RATE} events of 10 KB a second for two minutes`,
  async run(bench) {
    await using load = startLoadGenerator();
    await using server = await startBenchServer(bench);
    const uses = new CpuUses();
    bench.say("memory: at rest");
    await sleep(bench.isQuick ? 3_000 : 15_000);
    const idle = await readMegabytes(server);

    const count = plainRequestCount(SIZE_BYTES);
    await load.prepare({
      dsn: requireDsn(server),
      sizeBytes: SIZE_BYTES,
      encoding: "plain",
      groupCount: GROUP_COUNT,
      count,
    });
    using visitor = await openVisitor(server);
    const seconds = bench.isQuick ? 20 : 120;
    bench.say(`memory: ${RATE}/s for ${seconds} s`);
    const resident: number[] = [];
    const { result } = await uses.during([server.pid, load.pid], async () => {
      let isOver = false;
      const sending = load.send({ url: server.url, rate: RATE, seconds }).finally(() => {
        isOver = true;
      });
      for (let lookedAt = 0; !isOver; await sleep(SAMPLE_MS)) {
        resident.push(await readMegabytes(server));
        if (performance.now() - lookedAt < LOOK_EVERY_MS) continue;
        lookedAt = performance.now();
        await visitor.time("/issues");
      }
      return sending;
    });
    const backlog = (await readMetrics(server)).sum("culprit_journal_backlog_records");
    // The first half is growing into it.
    const steady = summarize(resident.slice(Math.floor(resident.length / 2)));
    await sleep(bench.isQuick ? 3_000 : 15_000);
    return {
      figures: [
        {
          name: "memory.idle",
          what: "memory at rest, after start",
          value: idle,
          unit: "MB",
          better: "lower",
          goal: IDLE_GOAL_MB,
        },
        {
          name: "memory.loaded",
          what: `memory at ${formatNumber(RATE)}/s, steady (largest)`,
          value: steady.max,
          unit: "MB",
          better: "lower",
          goal: GOAL_MB,
          note:
            `p50 ${formatNumber(steady.p50)} MB in the second half; ${formatNumber(result.accepted)} accepted, backlog at the end ` +
            `${formatNumber(backlog)}${describeRefusals(result)}`,
        },
        {
          name: "memory.after",
          what: "memory at rest again, 15 s later",
          value: await readMegabytes(server),
          unit: "MB",
          better: "lower",
        },
      ],
      cpu: uses.worst,
    };
  },
};

/** From the system, and where it has no /proc from the server itself. */
async function readMegabytes(server: { pid: number; url: string; token: string }): Promise<number> {
  const memory = readResidentMemory(server.pid);
  const bytes = memory?.residentBytes ?? (await readMetrics(server)).sum("process_resident_memory_bytes");
  return bytes / 1e6;
}
