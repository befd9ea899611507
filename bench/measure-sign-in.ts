import { summarize } from "./distribution.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { CpuUses, type Measurement, requireDsn, sleep, startBenchServer } from "./measurement.ts";
import type { SendResult } from "./send-requests.ts";
import { waitForStored } from "./server-metrics.ts";
import {
  type Credentials,
  makeMembers,
  type SignInAnswers,
  sendAtRate,
  sendInTurn,
  toAddress,
} from "./sign-in-senders.ts";

/** How many times as long the 200 of an event may take while strangers try passwords. */
const GOAL_RATIO = 2;
const RATE = 1_000;
const SIZE_BYTES = 10_000;
const SENDERS = 16;
/** Short, so that slices beside each other meet the same machine; two thousand answers give a p95. */
const SLICE_SECONDS = 2;
/** Until the queue of hashes is as full as it gets. */
const GUESS_BEFORE_MS = 500;

/** Each: alone, then every crowd and alone again. The median of the rounds counts. */
const ROUNDS = 7;

/** Members who sign in at the same time, each second so many. */
const MEMBERS = 50;

/** Who signs in beside ingest. */
const CROWDS = {
  /** Only the queue of hashes bounds them. */
  many: {
    what: "guesses from many addresses",
    start: (url: string) =>
      sendInTurn(url, SENDERS, (count) => ({
        email: `${count}@example.com`,
        password: "a guess",
        address: toAddress(count),
      })),
  },
  /** The limits refuse all but the first ten. */
  one: {
    what: "guesses from one address",
    start: (url: string) =>
      sendInTurn(url, SENDERS, () => ({ email: "somebody@example.com", password: "a guess", address: "203.0.113.7" })),
  },
  /** With their passwords: the queue of hashes takes what it can, and tells the others when to come again. */
  members: {
    what: `${MEMBERS} sign-ins a second of members`,
    start: (url: string, members: readonly Credentials[]) =>
      sendAtRate(url, MEMBERS, (count) => members[count % members.length] as Credentials),
  },
} as const;

type CrowdName = keyof typeof CROWDS;
const CROWD_NAMES = Object.keys(CROWDS) as CrowdName[];

/** What sign-in costs ingest: durable accepts beside strangers who try passwords of accounts that are not there, and beside members. */
export const measureSignIn: Measurement = {
  name: "sign-in",
  what: `accepts at ${RATE} events of 10 KB a second, alone, beside ${SENDERS} senders who try passwords, and beside ${MEMBERS} sign-ins a second`,
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
    const members = await makeMembers(server, MEMBERS);
    const toLists = (): Record<CrowdName, number[]> => ({ many: [], one: [], members: [] });
    const beside = toLists();
    const ratios = toLists();
    const signedIn: number[] = [];
    const notes: Record<CrowdName, string> = { many: "", one: "", members: "" };
    const measureAlone = async (): Promise<number> => {
      await waitForStored(server, stored);
      const { p95 } = (await send(SLICE_SECONDS)).latencyMs;
      alone.push(p95);
      return p95;
    };
    for (let round = 1; round <= (bench.isQuick ? 2 : ROUNDS); round++) {
      let before = await measureAlone();
      for (const name of CROWD_NAMES) {
        await waitForStored(server, stored);
        const startedAt = performance.now();
        const crowd = CROWDS[name].start(server.url, members);
        await sleep(GUESS_BEFORE_MS);
        const result = await send(SLICE_SECONDS);
        const answers = await crowd.stop();
        const seconds = (performance.now() - startedAt) / 1_000;
        notes[name] = `in the last round: ${sayAnswers(answers, seconds)}`;
        if (name === "members") signedIn.push((answers.statuses[302] ?? 0) / seconds);
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
    const toFigures = (name: CrowdName): Figure[] => [
      toLatency(name, `  beside ${CROWDS[name].what}, p95`, beside[name], notes[name]),
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
      figures: [
        toLatency("alone", "200 of an event, p95", alone, ""),
        ...CROWD_NAMES.flatMap(toFigures),
        {
          name: "sign-in.members.rate",
          what: `  of ${MEMBERS} members a second, signed in`,
          value: summarize(signedIn).p50,
          unit: "/s",
          better: "higher",
          note: `rounds ${signedIn.map(formatNumber).join(", ")}; the others get 429 with Retry-After`,
        },
      ],
      cpu: uses.worst,
    };
  },
};

function sayAnswers({ statuses, withoutRetryAfter }: SignInAnswers, seconds: number): string {
  if (withoutRetryAfter > 0) throw new Error(`${withoutRetryAfter} answers of 429 had no Retry-After`);
  return Object.entries(statuses)
    .map(([status, count]) => `${formatNumber(count / seconds)}/s ${status}`)
    .join(", ");
}
