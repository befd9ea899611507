import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestServer } from "../tests/support/start-server.ts";
import { summarize } from "./distribution.ts";
import { formatNumber } from "./figure.ts";
import { CpuUses, type Measurement, requireDsn, sleep, startBenchServer } from "./measurement.ts";
import { prepareRequests } from "./prepare-requests.ts";

const GOAL_GAP_MS = 3_000;
const SEND_EVERY_MS = 5;
/** Between two restarts: the digest has something to finish. */
const SEND_FOR_MS = 2_000;

/** Without a socket that stays open: from the last event that a server takes to the first that its successor takes. */
export const measureRestart: Measurement = {
  name: "restart",
  what: "how long no event is accepted while one server follows another on a port",
  async run(bench) {
    const uses = new CpuUses();
    const dataDir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
    try {
      let server = await startBenchServer(bench, { dataDir });
      const { port } = server;
      const dsn = requireDsn(server);
      const sender = startSending(dsn, port);
      const gaps: number[] = [];
      const stops: Array<Record<string, unknown>> = [];
      for (let round = 0; round < (bench.isQuick ? 2 : 7); round++) {
        bench.say(`restart: ${round + 1}`);
        await sleep(SEND_FOR_MS);
        const begunAt = performance.now();
        const { result } = await uses.during([], async () => {
          const next = await followOn(server, () => startBenchServer(bench, { dataDir, port }));
          await sender.acceptedAfter(performance.now());
          return next;
        });
        stops.push(result.stopped);
        server = result.next;
        gaps.push(sender.longestGapSince(begunAt));
      }
      await sender.stop();
      await server.stop();
      const { p50, max } = summarize(gaps);
      const part = (name: string) => formatNumber(summarize(stops.map((stop) => Number(stop[name]))).p50);
      return {
        figures: [
          {
            name: "restart.gap",
            what: "no event accepted during a restart",
            value: p50,
            unit: "ms",
            better: "lower",
            goal: GOAL_GAP_MS,
            note: `median of ${gaps.length}, worst ${formatNumber(max)} ms; of the stop, digest ${part("workMs")} ms before it, requests ${part("requestsMs")} and stores ${part("storesMs")} ms in it`,
          },
        ],
        cpu: null,
      };
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

async function followOn(server: TestServer, start: () => Promise<TestServer>) {
  await server.stop();
  const stopped = server.logLines().find(({ msg }) => msg === "stopped") ?? {};
  return { next: await start(), stopped };
}

/** Sends event after event, each over a connection of its own. */
function startSending(dsn: string, port: number) {
  const pool = prepareRequests({ dsn, sizeBytes: 10_000, encoding: "plain", groupCount: 10, count: 20_000 });
  const acceptedAt: number[] = [];
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      const bytes = pool.next()?.bytes;
      if (bytes === undefined) throw new Error("there are no more requests to send");
      if ((await post(port, bytes)) === 200) acceptedAt.push(performance.now());
      await sleep(SEND_EVERY_MS);
    }
  })();
  return {
    longestGapSince(instant: number): number {
      const times = [instant, ...acceptedAt.filter((at) => at > instant)];
      return Math.max(...times.slice(1).map((at, index) => at - (times[index] as number)));
    },
    async acceptedAfter(instant: number): Promise<void> {
      while ((acceptedAt.at(-1) ?? 0) < instant) await sleep(SEND_EVERY_MS);
    },
    async stop(): Promise<void> {
      isOver = true;
      await sending;
    },
  };
}

/** The prepared request has its head; null: refused or cut. */
function post(port: number, prepared: Buffer): Promise<number | null> {
  const [head = ""] = prepared.toString("latin1").split("\r\n\r\n", 1);
  const [first = "", ...lines] = head.split("\r\n");
  const [method, path] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? null));
      answer.once("error", () => resolve(null));
    });
    sent.once("error", () => resolve(null));
    sent.end(prepared.subarray(head.length + 4));
  });
}
