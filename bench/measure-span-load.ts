import { type Distribution, summarize } from "./distribution.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { type LoadGenerator, startLoadGenerator } from "./load-generator.ts";
import type { CpuUse } from "./machine.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import { countStored, readMetrics, waitForStored } from "./server-metrics.ts";
import { waitUntilVisible } from "./wait-until-visible.ts";
import type { ApiServer } from "./web-api.ts";

/** Spans a second, accepted and digested. */
const GOAL = 20_000;
const SPANS_PER_REQUEST = 100;
/** Two percent above the goal, because a run ends with its last answer and not with its last request. */
const REQUESTS_PER_SECOND = 204;
/** Sent as fast as they are accepted, after the paced ones. */
const FAST_REQUESTS = 4_000;
const QUICK_FAST_REQUESTS = 1_000;
const ERRORS_PER_SECOND = 4;
const ERROR_BYTES = 10_000;

/** Streamed spans at a steady rate, and how long errors take to their page meanwhile. */
export const measureSpanLoad: Measurement = {
  name: "span-load",
  what: `streamed spans at ${formatNumber(REQUESTS_PER_SECOND * SPANS_PER_REQUEST)} a second beside ${ERRORS_PER_SECOND} errors a second, then as fast as accepted`,
  async run(bench) {
    await using spans = startLoadGenerator();
    await using errors = startLoadGenerator();
    await using server = await startBenchServer(bench);
    const uses = new CpuUses();
    const [seconds, warmUpSeconds] = bench.isQuick ? [15, 3] : [60, 10];
    const fast = bench.isQuick ? QUICK_FAST_REQUESTS : FAST_REQUESTS;
    bench.say("span-load: making spans");
    const dsn = requireDsn(server);
    await spans.prepareSpans({
      dsn,
      spansPerRequest: SPANS_PER_REQUEST,
      count: (warmUpSeconds + seconds) * REQUESTS_PER_SECOND + fast,
      rate: REQUESTS_PER_SECOND,
    });
    const count = plainRequestCount(ERROR_BYTES);
    await errors.prepare({ dsn, sizeBytes: ERROR_BYTES, encoding: "plain", groupCount: GROUP_COUNT, count });

    bench.say("span-load: warming up");
    const send = (requests: number) =>
      spans.send({ url: server.url, rate: REQUESTS_PER_SECOND, count: requests }).then((result) => ({
        ...result,
        spans: result.accepted * SPANS_PER_REQUEST,
      }));
    const [warm] = await Promise.all([
      send(warmUpSeconds * REQUESTS_PER_SECOND),
      followErrors(server, errors, warmUpSeconds),
    ]);
    let stored = await waitForStored(server, warm.spans, "span").then(() => warm.spans);

    bench.say(`span-load: errors alone for ${seconds} s`);
    const alone = await uses.during([server.pid, errors.pid], () => followErrors(server, errors, seconds));
    bench.say(`span-load: ${REQUESTS_PER_SECOND * SPANS_PER_REQUEST} spans a second for ${seconds} s`);
    const measurePaced = async () => {
      const startedAt = performance.now();
      const sent = await send(seconds * REQUESTS_PER_SECOND);
      const sentAt = performance.now();
      const backlog = (await readMetrics(server)).sum("culprit_journal_backlog_records");
      const digested = (await countStored(server, "span")) - stored;
      const perSecond = digested / ((performance.now() - startedAt) / 1000);
      stored += sent.spans;
      const drainMs = Math.max(0, (await waitForStored(server, stored, "span")) - sentAt);
      return { sent, backlog, perSecond, drainMs };
    };
    const paced = await uses.during([server.pid, spans.pid, errors.pid], () =>
      Promise.all([measurePaced(), followErrors(server, errors, seconds)]),
    );
    bench.say(`span-load: ${fast * SPANS_PER_REQUEST} spans as fast as they are accepted`);
    const unpaced = await uses.during([server.pid, spans.pid], async () => {
      const startedAt = performance.now();
      const sent = await spans.send({ url: server.url, count: fast });
      const storedAt = await waitForStored(server, stored + sent.accepted * SPANS_PER_REQUEST, "span");
      return { sent, seconds: (storedAt - startedAt) / 1000 };
    });

    const [{ sent, backlog, perSecond, drainMs }, visible] = paced.result;
    const secondsOf = (cpu: CpuUse | null, pid: number) => cpu?.secondsOf[pid] ?? Number.NaN;
    const toCpu = (name: string, cpu: CpuUse | null, spanCount: number, errorSeconds: number): Figure => ({
      name: `span-load.${name}`,
      what: "  processor time of the server per span",
      value: ((secondsOf(cpu, server.pid) - errorSeconds) / spanCount) * 1e6,
      unit: "µs",
      better: "lower",
      note:
        `all threads and background jobs${errorSeconds > 0 ? `, without the ${formatNumber(errorSeconds)} s that errors alone take` : ""}; ` +
        `the sender ${formatNumber((secondsOf(cpu, spans.pid) / spanCount) * 1e6)} µs`,
    });
    return {
      figures: [
        {
          name: "span-load.accepted",
          what: "spans accepted",
          value: sent.spans / sent.seconds,
          unit: "/s",
          better: "higher",
          goal: GOAL,
          note:
            `${formatNumber(sent.spans)} in containers of ${SPANS_PER_REQUEST}; the 200 of a container p50 ` +
            `${formatNumber(sent.latencyMs.p50)} p95 ${formatNumber(sent.latencyMs.p95)} ms${describeRefusals(sent)}`,
        },
        {
          name: "span-load.digested",
          what: "spans digested meanwhile",
          value: perSecond,
          unit: "/s",
          better: "higher",
          goal: GOAL,
        },
        {
          name: "span-load.drain",
          what: "  from the last 200 to the last span stored",
          value: drainMs,
          unit: "ms",
          better: "lower",
          note: `backlog at the last 200: ${formatNumber(backlog)} containers`,
        },
        toCpu("cpu", paced.cpu, sent.spans, secondsOf(alone.cpu, server.pid)),
        ...toVisible("alone", "errors alone", alone.result),
        ...toVisible("beside", "errors beside the spans", visible),
        {
          name: "span-load.visible.ratio",
          what: "  p95 beside the spans over p95 alone",
          value: visible.p95 / alone.result.p95,
          unit: "×",
          better: "lower",
        },
        {
          name: "span-load.fast",
          what: "spans from the first byte to the last one stored",
          value: (unpaced.result.sent.accepted * SPANS_PER_REQUEST) / unpaced.result.seconds,
          unit: "/s",
          better: "higher",
          note:
            `as fast as accepted: ${formatNumber(unpaced.result.sent.acceptedPerSecond * SPANS_PER_REQUEST)} spans/s ` +
            `for ${formatNumber(unpaced.result.sent.seconds)} s${describeRefusals(unpaced.result.sent)}`,
        },
        toCpu("fast.cpu", unpaced.cpu, unpaced.result.sent.accepted * SPANS_PER_REQUEST, 0),
      ],
      cpu: uses.worst,
    };
  },
};

/** Milliseconds from the 200 of each error until the web API had it. */
async function followErrors(server: ApiServer, errors: LoadGenerator, seconds: number): Promise<Distribution> {
  const looking: Array<Promise<number>> = [];
  await errors.send({ url: server.url, rate: ERRORS_PER_SECOND, seconds, sampleEvery: 1 }, (sample) => {
    looking.push(waitUntilVisible(server, sample));
  });
  return summarize(await Promise.all(looking));
}

function toVisible(name: string, what: string, visible: Distribution): Figure[] {
  return (["p50", "p95"] as const).map((percentile) => ({
    name: `span-load.visible.${name}.${percentile}`,
    what: `${what}, accepted to visible, ${percentile}`,
    value: visible[percentile],
    unit: "ms",
    better: "lower",
    note: percentile === "p50" ? `${visible.count} errors; at the most ${formatNumber(visible.max)} ms` : "",
  }));
}
