import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestServer } from "../tests/support/start-server.ts";
import { formatNumber } from "./figure.ts";
import type { LoadGenerator } from "./load-generator.ts";
import { type BenchOptions, startBenchServer } from "./measurement.ts";
import { storeEvents } from "./store-events.ts";
import { getJson } from "./web-api.ts";

/** Stores what is missing of the wanted number of events. */
export async function fillFolder(bench: BenchOptions, load: LoadGenerator, dataDir: string): Promise<void> {
  await using server = await startBenchServer({ ...bench, profileDir: null }, { dataDir });
  const existing = await countEvents(server);
  if (existing < bench.storedEvents * 0.99) await storeEvents(server, load, bench.storedEvents - existing, bench.say);
  else bench.say(`${formatNumber(existing)} events are stored already`);
}

export function createTemporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "culprit-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function copyFolder(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  return to;
}

/** From the ledger, over the time in which they came. */
export async function countEvents(server: TestServer): Promise<number> {
  const query = new URLSearchParams({
    field: "sum(quantity)",
    statsPeriod: "90d",
    interval: "1d",
    outcome: "accepted",
    category: "error",
  });
  const { groups } = await getJson<{ groups: Array<{ totals: { "sum(quantity)": number } }> }>(
    server,
    `/organizations/default/stats_v2/?${query}`,
  );
  return groups.reduce((sum, { totals }) => sum + totals["sum(quantity)"], 0);
}
