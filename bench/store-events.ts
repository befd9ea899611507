import { DAY_MS } from "../app/domain/time.ts";
import type { TestServer } from "../tests/support/start-server.ts";
import { formatNumber } from "./figure.ts";
import type { LoadGenerator } from "./load-generator.ts";
import { requireDsn, sleep } from "./measurement.ts";
import type { RequestOptions } from "./prepare-requests.ts";
import { countStored, readMetrics, waitForStored } from "./server-metrics.ts";

/** Issues of the large data set, of very different sizes: the largest has a tenth of all events. */
export const STORED_GROUP_COUNT = 1_000;
const SIZE_BYTES = 8_000;
const SPREAD_DAYS = 14;
const ROUND_EVENTS = 10_000;
/** So that the server's backlog stays far below what it would refuse. */
const MAX_BACKLOG = 20_000;

/** What those events look like; those that come in meanwhile while something is measured are of the same issues. */
export function storedEventOptions(server: TestServer): RequestOptions {
  return {
    dsn: requireDsn(server),
    sizeBytes: SIZE_BYTES,
    encoding: "plain",
    groupCount: STORED_GROUP_COUNT,
    count: 10 * STORED_GROUP_COUNT,
    userCount: 50_000,
    isSkewed: true,
  };
}

/**
 * Sends events through ingest until the server has stored so many more: as those of the last fourteen days, in the order in
 * which they happened, oldest first.
 */
export async function storeEvents(
  server: TestServer,
  load: LoadGenerator,
  count: number,
  say: (text: string) => void,
): Promise<void> {
  const before = await countStored(server);
  await load.prepare({ ...storedEventOptions(server), spreadMs: SPREAD_DAYS * DAY_MS, spreadCount: count });
  const startedAt = performance.now();
  let accepted = 0;
  while (accepted < count) {
    const result = await load.send({
      url: server.url,
      count: Math.min(ROUND_EVENTS, count - accepted),
      connections: 16,
    });
    if (result.accepted === 0) throw new Error(`the server accepts nothing: ${JSON.stringify(result)}`);
    accepted += result.accepted;
    while ((await readMetrics(server)).sum("culprit_journal_backlog_records") > MAX_BACKLOG) await sleep(100);
    const rate = accepted / ((performance.now() - startedAt) / 1000);
    say(`storing events: ${formatNumber(accepted)} of ${formatNumber(count)}, ${formatNumber(rate)}/s`);
  }
  await waitForStored(server, before + accepted);
}
