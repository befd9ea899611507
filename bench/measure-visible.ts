import { summarize } from "./distribution.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import type { Figure } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import { waitForStored } from "./server-metrics.ts";
import { waitUntilVisible } from "./wait-until-visible.ts";

/** p95, in milliseconds. */
const GOAL_MS = 1_000;
const RATE = 1_000;
const SIZE_BYTES = 10_000;
/** Four of a thousand a second are followed: enough to count percentiles, and little work for the server. */
const SAMPLE_EVERY = 250;

/** How long after its 200 an event is there: the web API answers with it. */
export const measureVisible: Measurement = {
  name: "visible",
  what: `from the 200 of an event to the web API's answer with it, at ${RATE} events of 10 KB a second`,
  async run(bench) {
    await using load = startLoadGenerator();
    await using server = await startBenchServer(bench);
    const uses = new CpuUses();
    const count = plainRequestCount(SIZE_BYTES);
    await load.prepare({
      dsn: requireDsn(server),
      sizeBytes: SIZE_BYTES,
      encoding: "plain",
      groupCount: GROUP_COUNT,
      count,
    });
    bench.say("visible: warming up");
    const warm = await load.send({ url: server.url, rate: RATE, seconds: bench.isQuick ? 2 : 5 });
    await waitForStored(server, warm.accepted);

    const seconds = bench.isQuick ? 10 : 60;
    bench.say(`visible: ${RATE}/s for ${seconds} s`);
    const looking: Array<Promise<number>> = [];
    const { result } = await uses.during([server.pid, load.pid], () =>
      load.send({ url: server.url, rate: RATE, seconds, sampleEvery: SAMPLE_EVERY }, (sample) => {
        looking.push(waitUntilVisible(server, sample));
      }),
    );
    const visible = summarize(await Promise.all(looking));
    const toFigure = (percentile: "p50" | "p95" | "p99"): Figure => ({
      name: `visible.${percentile}`,
      what: `accepted to visible, ${percentile}`,
      value: visible[percentile],
      unit: "ms",
      better: "lower",
      ...(percentile === "p95" ? { goal: GOAL_MS } : {}),
      note:
        percentile === "p50" ? `${visible.count} events followed of ${result.accepted}${describeRefusals(result)}` : "",
    });
    return {
      figures: [
        toFigure("p50"),
        toFigure("p95"),
        toFigure("p99"),
        {
          name: "visible.accept.p95",
          what: "  and the 200 itself at that rate, p95",
          value: result.latencyMs.p95,
          unit: "ms",
          better: "lower",
          note: `p50 ${result.latencyMs.p50.toFixed(1)} p99 ${result.latencyMs.p99.toFixed(1)} ms`,
        },
      ],
      cpu: uses.worst,
    };
  },
};
