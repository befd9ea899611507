import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataFolderSize, measureDataFolder } from "./data-folder-size.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import { waitForStored } from "./server-metrics.ts";

/** For an event of 8 KB, everything included. */
const GOAL_BYTES = 2_000;
const SIZE_BYTES = 8_000;

/** What a stored event costs on the disk, after a stop. */
export const measureDisk: Measurement = {
  name: "disk",
  what: "bytes on disk per stored event of 8 KB, after a stop, by part",
  async run(bench) {
    const dataDir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
    try {
      await using load = startLoadGenerator();
      const uses = new CpuUses();
      const events = bench.isQuick ? 10_000 : 80_000;
      await using server = await startBenchServer(bench, { dataDir });
      const before = measureDataFolder(dataDir);
      bench.say(`disk: storing ${formatNumber(events)} events`);
      await load.prepare({
        dsn: requireDsn(server),
        sizeBytes: SIZE_BYTES,
        encoding: "plain",
        groupCount: GROUP_COUNT,
        count: plainRequestCount(SIZE_BYTES),
      });
      const { result } = await uses.during([server.pid, load.pid], async () => {
        const sent = await load.send({ url: server.url, count: events });
        await waitForStored(server, sent.accepted);
        return sent;
      });
      await server.stop();
      return { figures: toFigures(measureDataFolder(dataDir), before, result.accepted), cpu: uses.worst };
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

/** What the parts have grown to, for each of the events. `before`: the folder of a server without any. */
function toFigures(after: DataFolderSize, before: DataFolderSize, events: number): Figure[] {
  const perEvent = (bytes: number) => bytes / events;
  const kept = (size: DataFolderSize) => size.payloads + size.events + size.state + size.other;
  const of = (part: keyof DataFolderSize, what: string): Figure => ({
    name: `disk.${part}`,
    what: `  ${what}`,
    value: perEvent(after[part] - before[part]),
    unit: "bytes",
    better: "lower",
  });
  return [
    {
      name: "disk.total",
      what: "on disk per event of 8 KB",
      value: perEvent(kept(after) - kept(before)),
      unit: "bytes",
      better: "lower",
      goal: GOAL_BYTES,
      note: `${formatNumber(kept(after) / 1e6)} MB for ${formatNumber(events)} events, journal left out`,
    },
    of("payloads", "payload files"),
    of("events", "DuckDB, with the index of ids"),
    of("state", "SQLite"),
    {
      name: "disk.journal",
      what: "  journal, however many events there are",
      value: after.journal / 1e6,
      unit: "MB",
      better: "lower",
      note: "its last segment stays until the next is begun",
    },
  ];
}
