import { fork } from "node:child_process";
import { join } from "node:path";
import { ENCODINGS, EVENT_KINDS, type EventKind, GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { type LoadGenerator, startLoadGenerator } from "./load-generator.ts";
import { type BenchOptions, CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import type { RequestOptions } from "./prepare-requests.ts";
import type { SendResult } from "./send-requests.ts";

/** Accepts a second, of 10 KB events. */
const GOAL = 8_000;
/** No server here takes more, so that requests which can be sent only once suffice. */
const MAX_RATE_BY_SIZE = { 10000: 14_000, 2970: 20_000, 50000: 5_000 } as const;

/** How many durable answers a second: as fast as 64 connections get theirs, while the digest works behind. */
export const measureAccepts: Measurement = {
  name: "accepts",
  what: "durable answers a second, 64 connections, digest at work meanwhile",
  async run(bench) {
    await using load = startLoadGenerator();
    const uses = new CpuUses();
    const figures: Figure[] = [];
    for (const kind of EVENT_KINDS) {
      for (const encoding of ENCODINGS) {
        if (bench.variants && !bench.variants.includes(`${kind.name}.${encoding}`)) continue;
        const result = await measureServer(bench, load, uses, kind, encoding);
        const { latencyMs } = result;
        figures.push({
          name: `accepts.${kind.name}.${encoding}`,
          what: `accepts, ${kind.label} ${encoding}`,
          value: result.acceptedPerSecond,
          unit: "/s",
          better: "higher",
          ...(kind.sizeBytes === 10_000 && encoding === "plain" ? { goal: GOAL } : {}),
          note:
            `p50 ${formatNumber(latencyMs.p50)} p95 ${formatNumber(latencyMs.p95)} ` +
            `p99 ${formatNumber(latencyMs.p99)} ms${describeRefusals(result)}`,
        });
        if (encoding !== "plain") continue;
        const baseline = await measureBaseline(bench, load, uses, kind);
        figures.push({
          name: `accepts.${kind.name}.ratio`,
          what: "  relative to a bare node:http server",
          value: result.acceptedPerSecond / baseline,
          unit: "×",
          better: "higher",
          note: `which reads bodies and keeps nothing: ${formatNumber(baseline)}/s`,
        });
      }
    }
    return { figures, cpu: uses.worst };
  },
};

async function measureServer(
  bench: BenchOptions,
  load: LoadGenerator,
  uses: CpuUses,
  kind: EventKind,
  encoding: RequestOptions["encoding"],
): Promise<SendResult> {
  bench.say(`accepts: ${kind.label} ${encoding}`);
  // A new server each time: what waits for the digest of an earlier run would take part of the machine.
  await using server = await startBenchServer(bench);
  const seconds = bench.isQuick ? 3 : 10;
  const { sizeBytes } = kind;
  const count = encoding === "plain" ? plainRequestCount(sizeBytes) : seconds * MAX_RATE_BY_SIZE[sizeBytes];
  await load.prepare({ dsn: requireDsn(server), sizeBytes, encoding, groupCount: GROUP_COUNT, count });
  await load.send({ url: server.url, count: Math.min(2_000, count / 5) });
  const { result } = await uses.during([server.pid, load.pid], () => load.send({ url: server.url, seconds }));
  // The rest of the backlog is of no interest; but a profile is written by a process that ends by itself.
  if (bench.profileDir === null) await server.kill9();
  return result;
}

async function measureBaseline(
  bench: BenchOptions,
  load: LoadGenerator,
  uses: CpuUses,
  { label, sizeBytes }: EventKind,
): Promise<number> {
  bench.say(`accepts: ${label} by a bare node:http server`);
  const child = fork(join(import.meta.dirname, "baseline-server.ts"));
  try {
    const port = await new Promise<number>((resolve) => {
      child.once("message", (message: { port: number }) => resolve(message.port));
    });
    const url = `http://127.0.0.1:${port}`;
    const dsn = `http://${"0".repeat(32)}@127.0.0.1:${port}/1`;
    const count = plainRequestCount(sizeBytes);
    await load.prepare({ dsn, sizeBytes, encoding: "plain", groupCount: GROUP_COUNT, count });
    await load.send({ url, count: 2_000 });
    const seconds = bench.isQuick ? 2 : 5;
    const { result } = await uses.during([child.pid ?? 0, load.pid], () => load.send({ url, seconds }));
    return result.acceptedPerSecond;
  } finally {
    child.disconnect();
  }
}

/** Refused and broken requests are no accepts, but someone should know. */
export function describeRefusals({ statuses, failures }: SendResult): string {
  const others = [...Object.entries(statuses), ...Object.entries(failures)].filter(([name]) => name !== "200");
  return others.map(([name, count]) => `; ${name}: ${formatNumber(count)}`).join("");
}
