import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { summarize } from "./distribution.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import { type BenchOptions, CpuUses, type Measurement, requireDsn, sleep, startBenchServer } from "./measurement.ts";
import { prepareRequests } from "./prepare-requests.ts";

const GOAL_EVENT_MS = 1_000;
const GOAL_PAGE_MS = 3_000;
const LOOK_EVERY_MS = 5;

interface Start {
  eventMs: number;
  pageMs: number;
}

/** From the start of the process to the first event that is answered 200, and to the first page. */
export const measureStart: Measurement = {
  name: "start",
  what: "from the start of the process to the first accepted event, and to the first page",
  async run(bench) {
    const uses = new CpuUses();
    const dataDir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
    try {
      // Also makes the project whose key the timed starts use.
      const first = await startBenchServer(bench, { dataDir });
      const { username, pathname } = new URL(requireDsn(first));
      await first.stop();
      const starts: Start[] = [];
      for (let round = 0; round < (bench.isQuick ? 2 : 7); round++) {
        bench.say(`start: ${round + 1}`);
        const { result } = await uses.during([], () => timeStart(bench, dataDir, { username, pathname }));
        starts.push(result);
      }
      const toFigure = (name: string, what: string, values: number[], goal: number): Figure => {
        const { p50, max } = summarize(values);
        const note = `median of ${values.length}, worst ${formatNumber(max)} ms`;
        return { name, what, value: p50, unit: "ms", better: "lower", goal, note };
      };
      return {
        figures: [
          toFigure(
            "start.event",
            "start to first accepted event",
            starts.map(({ eventMs }) => eventMs),
            GOAL_EVENT_MS,
          ),
          toFigure(
            "start.page",
            "start to first page",
            starts.map(({ pageMs }) => pageMs),
            GOAL_PAGE_MS,
          ),
        ],
        // The server's own work cannot be told apart here: it is young when the watch begins.
        cpu: null,
      };
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

async function timeStart(
  bench: BenchOptions,
  dataDir: string,
  { username, pathname }: { username: string; pathname: string },
): Promise<Start> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const dsn = `http://${username}@127.0.0.1:${port}${pathname}`;
  const pool = prepareRequests({ dsn, sizeBytes: 10_000, encoding: "plain", groupCount: 1, count: 1_000 });
  const startedAt = performance.now();
  const starting = startBenchServer(bench, { dataDir, port });
  const pageMs = waitForPage(url).then(() => performance.now() - startedAt);
  const connection = new KeepAliveConnection("127.0.0.1", port);
  while ((await post(connection, pool.next()?.bytes)) !== 200) await sleep(LOOK_EVERY_MS);
  const eventMs = performance.now() - startedAt;
  connection.close();
  await using _server = await starting;
  return { eventMs, pageMs: await pageMs };
}

function post(connection: KeepAliveConnection, request: Buffer | undefined): Promise<number | null> {
  if (!request) throw new Error("there is no request to send");
  return new Promise((resolve) => connection.send(request, ({ status }) => resolve(status)));
}

async function waitForPage(url: string): Promise<void> {
  for (;;) {
    const status = await fetch(`${url}/sign-in`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => null,
    );
    if (status === 200) return;
    await sleep(LOOK_EVERY_MS);
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
