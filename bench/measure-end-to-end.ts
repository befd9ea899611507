import { ENCODINGS, EVENT_KINDS, type EventKind, GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { type LoadGenerator, startLoadGenerator } from "./load-generator.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { measureFloor } from "./measure-floor.ts";
import { type BenchOptions, CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import type { RequestOptions } from "./prepare-requests.ts";
import { countStored, waitForStored } from "./server-metrics.ts";

/** Events a second of 10 KB. */
const GOAL = 2_500;
/** Processor time of an event of 10 KB, all threads, over the floor. */
const COST_GOAL = 3;
/** So that a run takes about ten seconds. */
const EVENTS_BY_SIZE = { 10000: 30_000, 2970: 60_000, 50000: 6_000 } as const;
const QUICK_SHARE = 0.2;
/** Sent before: code that has run little is slow. */
const WARM_UP_SHARE = 0.1;
/** Others that use more of the machine are named beside the figure. */
const WORTH_NAMING_SHARE = 0.05;

/** How many events a second come through to the stores: sent as fast as they are accepted, and waited for to the last. */
export const measureEndToEnd: Measurement = {
  name: "e2e",
  what: "events a second from the first byte sent to the last event stored (accepts, digest and drain)",
  async run(bench) {
    await using load = startLoadGenerator();
    const uses = new CpuUses();
    const figures: Figure[] = [];
    for (const kind of EVENT_KINDS) {
      for (const encoding of ENCODINGS) {
        if (bench.variants && !bench.variants.includes(`${kind.name}.${encoding}`)) continue;
        figures.push(...(await measureVariant(bench, load, uses, kind, encoding)));
      }
    }
    return { figures, cpu: uses.worst };
  },
};

async function measureVariant(
  bench: BenchOptions,
  load: LoadGenerator,
  uses: CpuUses,
  { label, name, sizeBytes }: EventKind,
  encoding: RequestOptions["encoding"],
): Promise<Figure[]> {
  bench.say(`e2e: ${label} ${encoding}`);
  const floorBefore = measureFloor({ sizeBytes, encoding });
  await using server = await startBenchServer(bench);
  const events = EVENTS_BY_SIZE[sizeBytes] * (bench.isQuick ? QUICK_SHARE : 1);
  const warmUp = Math.ceil(events * WARM_UP_SHARE);
  const count = encoding === "plain" ? plainRequestCount(sizeBytes) : events + warmUp;
  await load.prepare({ dsn: requireDsn(server), sizeBytes, encoding, groupCount: GROUP_COUNT, count });
  const warm = await load.send({ url: server.url, count: warmUp });
  await waitForStored(server, warm.accepted);
  const before = await countStored(server);
  const { result, cpu } = await uses.during([server.pid, load.pid], async () => {
    const startedAt = performance.now();
    const sent = await load.send({ url: server.url, count: events });
    const storedAt = await waitForStored(server, before + sent.accepted);
    return { sent, seconds: (storedAt - startedAt) / 1000 };
  });
  const { sent, seconds } = result;
  const figures: Figure[] = [
    {
      name: `e2e.${name}.${encoding}`,
      what: `end to end, ${label} ${encoding}`,
      value: sent.accepted / seconds,
      unit: "/s",
      better: "higher",
      ...(sizeBytes === 10_000 && encoding === "plain" ? { goal: GOAL } : {}),
      note:
        `${formatNumber(sent.accepted)} events, accepted in ${formatNumber(sent.seconds)} s, stored after ` +
        `${formatNumber(seconds)} s${describeRefusals(sent)}` +
        (cpu && cpu.others > WORTH_NAMING_SHARE
          ? `; others used ${Math.round(cpu.others * 100)} % of the machine`
          : ""),
    },
  ];
  const serverSeconds = cpu?.secondsOf[server.pid] ?? Number.NaN;
  if (Number.isFinite(serverSeconds)) {
    const eventUs = (serverSeconds / sent.accepted) * 1e6;
    // The machine may have become quicker or slower meanwhile.
    const floorUs = (floorBefore + measureFloor({ sizeBytes, encoding })) / 2;
    figures.push(
      {
        name: `e2e.${name}.${encoding}.cpu`,
        what: "  processor time of the server per event",
        value: eventUs,
        unit: "µs",
        better: "lower",
      },
      {
        name: `e2e.${name}.${encoding}.cost`,
        what: "  relative to the floor",
        value: eventUs / floorUs,
        unit: "×",
        better: "lower",
        ...(sizeBytes === 10_000 && encoding === "plain" ? { goal: COST_GOAL } : {}),
        note: `the least that one thread needs for it: ${formatNumber(floorUs)} µs`,
      },
    );
  }
  return figures;
}
