import { Agent, request } from "node:http";
import { summarize } from "./distribution.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { CpuUses, type Measurement, requireDsn, sleep, startBenchServer } from "./measurement.ts";
import type { SendResult } from "./send-requests.ts";
import { waitForStored } from "./server-metrics.ts";

/** How many times as long the 200 of an event may take while strangers try passwords. */
const GOAL_RATIO = 2;
const RATE = 1_000;
const SIZE_BYTES = 10_000;
const SENDERS = 16;
/** Short, so that slices beside each other meet the same machine; two thousand answers give a p95. */
const SLICE_SECONDS = 2;
/** Until the queue of hashes is as full as it gets. */
const GUESS_BEFORE_MS = 500;

/** Each: alone, many, alone, one, alone. The median of the rounds counts. */
const ROUNDS = 7;

interface Guess {
  email: string;
  address: string;
}

/** What strangers do, each as soon as it has its answer. */
const ATTACKS = {
  /** Only the queue of hashes bounds them. */
  many: {
    what: "from many addresses, p95",
    toGuess: (count: number): Guess => ({
      email: `${count}@example.com`,
      address: `2001:db8:${(count >> 16).toString(16)}:${(count & 0xffff).toString(16)}::1`,
    }),
  },
  /** The limits refuse all but the first ten. */
  one: {
    what: "from one address, p95",
    toGuess: (): Guess => ({ email: "somebody@example.com", address: "203.0.113.7" }),
  },
} as const;

/** What sign-in costs ingest: durable accepts beside strangers who try passwords of accounts that are not there. */
export const measureSignIn: Measurement = {
  name: "sign-in",
  what: `accepts at ${RATE} events of 10 KB a second, alone and beside ${SENDERS} senders who try passwords`,
  async run(bench) {
    await using load = startLoadGenerator();
    // Behind a proxy, whose part this process has: that is how there are many addresses.
    await using server = await startBenchServer(bench, { env: { TRUST_PROXY: "1" } });
    const uses = new CpuUses();
    await load.prepare({
      dsn: requireDsn(server),
      sizeBytes: SIZE_BYTES,
      encoding: "plain",
      groupCount: GROUP_COUNT,
      count: plainRequestCount(SIZE_BYTES),
    });
    let stored = 0;
    const send = async (seconds: number): Promise<SendResult> => {
      const sending = () => load.send({ url: server.url, rate: RATE, seconds });
      const { result } = await uses.during([server.pid, load.pid, process.pid], sending);
      stored += result.accepted;
      return result;
    };
    bench.say("sign-in: warming up");
    await send(bench.isQuick ? 2 : 5);

    const alone: number[] = [];
    const beside = { many: [] as number[], one: [] as number[] };
    const ratios = { many: [] as number[], one: [] as number[] };
    const notes = { many: "", one: "" };
    const measureAlone = async (): Promise<number> => {
      await waitForStored(server, stored);
      const { p95 } = (await send(SLICE_SECONDS)).latencyMs;
      alone.push(p95);
      return p95;
    };
    for (let round = 1; round <= (bench.isQuick ? 2 : ROUNDS); round++) {
      let before = await measureAlone();
      for (const name of ["many", "one"] as const) {
        await waitForStored(server, stored);
        const guessing = startGuessing(server.url, ATTACKS[name].toGuess);
        await sleep(GUESS_BEFORE_MS);
        const result = await send(SLICE_SECONDS);
        notes[name] = `guesses in the last round: ${toRates(await guessing.stop(), result.seconds)}`;
        const after = await measureAlone();
        const { p95 } = result.latencyMs;
        // Against what was measured on both sides of it.
        const ratio = p95 / ((before + after) / 2);
        before = after;
        beside[name].push(p95);
        ratios[name].push(ratio);
        bench.say(`sign-in: round ${round}: ${name} ${formatNumber(p95)} ms, ${formatNumber(ratio)} ×, ${notes[name]}`);
      }
    }
    const toLatency = (name: string, what: string, values: number[], note: string): Figure => ({
      name: `sign-in.${name}.accept.p95`,
      what,
      value: summarize(values).p50,
      unit: "ms",
      better: "lower",
      note: `rounds ${values.map(formatNumber).join(", ")}${note && `; ${note}`}`,
    });
    const toFigures = (name: "many" | "one"): Figure[] => [
      toLatency(name, `  beside guesses ${ATTACKS[name].what}`, beside[name], notes[name]),
      {
        name: `sign-in.${name}.ratio`,
        what: "  relative to alone, just before and after",
        value: summarize(ratios[name]).p50,
        unit: "×",
        better: "lower",
        goal: GOAL_RATIO,
        note: `rounds ${ratios[name].map(formatNumber).join(", ")}`,
      },
    ];
    return {
      figures: [toLatency("alone", "200 of an event, p95", alone, ""), ...toFigures("many"), ...toFigures("one")],
      cpu: uses.worst,
    };
  },
};

function toRates(statuses: Record<string, number>, seconds: number): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${formatNumber(count / seconds)}/s ${status}`)
    .join(", ");
}

/** Senders that try passwords until they are stopped; `stop` gives how many answers had which status. */
function startGuessing(url: string, toGuess: (count: number) => Guess): { stop(): Promise<Record<string, number>> } {
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const statuses: Record<string, number> = {};
  let count = 0;
  let isStopped = false;

  function guess(): Promise<void> {
    count += 1;
    const { email, address } = toGuess(count);
    const body = new URLSearchParams({ email, password: "a guess" }).toString();
    const headers = {
      origin: url,
      "x-forwarded-for": address,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/sign-in`, { method: "POST", agent, headers }, (answer) => {
        statuses[answer.statusCode ?? 0] = (statuses[answer.statusCode ?? 0] ?? 0) + 1;
        answer.resume().on("end", resolve).on("error", reject);
      });
      sent.on("error", reject).end(body);
    });
  }

  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isStopped) await guess();
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(senders);
      agent.destroy();
      return statuses;
    },
  };
}
