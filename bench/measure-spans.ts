import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { stripRowLog } from "../app/jobs/move-days.ts";
import { type Figure, formatNumber } from "./figure.ts";
import type { SpanForm } from "./make-spans.ts";
import type { Measurement } from "./measurement.ts";
import { cpuMs, type StoredSpans, storeSpans } from "./store-spans.ts";

const GOAL_BYTES = 60;
const GOAL_BYTES_LATER = 40;
/** How often it is seen whether rows are to move: each minute, at 167 spans a second. */
const LOOK_SPANS = 10_000;

/** What a span costs: the digest's stages in this process over the real stores, and the bytes that it leaves. */
export const measureSpans: Measurement = {
  name: "spans",
  what: "bytes on disk per span by part, and processor time of the digest, for transactions and streamed spans",
  async run(bench) {
    const figures: Figure[] = [];
    for (const form of ["transaction", "container"] as const) {
      const dir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
      try {
        const spans = bench.isQuick ? 60_000 : 1_000_000;
        bench.say(`spans: storing ${formatNumber(spans)}, each form`);
        figures.push(...(await measureForm(dir, form, spans)));
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }
    return { figures, cpu: null };
  },
};

async function measureForm(dir: string, form: SpanForm, spanCount: number): Promise<Figure[]> {
  const fresh: Array<Parts & { spans: number }> = [];
  const cpu = { sum: 0, move: 0 };
  const stored = await storeSpans(dir, form, spanCount, async (at) => {
    const lookedAt = Math.floor(at.spans / LOOK_SPANS);
    if (lookedAt === Math.floor((at.spans - at.batchSpans) / LOOK_SPANS)) return;
    await moveDue(at, at.day, cpu);
    if (at.spans < spanCount / 2) return;
    await at.events.checkpoint();
    fresh.push({ spans: at.spans, ...partsOf(dir, statSync(at.path).size - at.emptyBytes) });
  });
  const { events, payloads, path, emptyBytes, spans, sentBytes, mapMs, commitMs } = stored;
  await moveDue(stored, stored.day + 1, cpu);
  const began = cpuMs();
  for (const day of events.movedDays.listSliced(stored.day + 1)) await events.movedDays.join(day);
  cpu.move += cpuMs() - began;
  await payloads.close();
  await events.close();
  const later = partsOf(dir, (await usedBytes(path)) - emptyBytes);
  const of = (name: string, what: string, value: number, unit: Figure["unit"]): Figure => ({
    name: `spans.${form}.${name}`,
    what,
    value: value / spans,
    unit,
    better: "lower",
  });
  const toBytes = (name: string, what: string, { days, database, files }: Parts) => [
    of(`${name}.days`, `${what}: files of days`, days, "bytes"),
    of(`${name}.database`, `${what}: DuckDB, ${name === "fresh" ? "rows and " : ""}sums`, database, "bytes"),
    of(`${name}.files`, `${what}: row log${form === "transaction" ? ", and payloads" : ""}`, files, "bytes"),
  ];
  const most = fresh.reduce((high, each) => (sumOf(each) / each.spans > sumOf(high) / high.spans ? each : high));
  const toMost = (bytes: number) => (bytes / most.spans) * spans;
  return [
    {
      ...of("bytes", `on disk per span of a ${form}, at the most`, toMost(sumOf(most)), "bytes"),
      goal: GOAL_BYTES,
      note: `at ${formatNumber(most.spans)} spans; ${formatNumber(sentBytes / spans)} bytes sent`,
    },
    ...toBytes("fresh", "  of these", {
      days: toMost(most.days),
      database: toMost(most.database),
      files: toMost(most.files),
    }),
    {
      ...of("later", "  the same after its day is over", sumOf(later), "bytes"),
      goal: GOAL_BYTES_LATER,
      note: "blocks of DuckDB that are in use",
    },
    ...toBytes("later", "    of these", later),
    of("map", "  processor time, map stage", mapMs * 1000, "µs"),
    of("commit", "  processor time, commit stage with all threads", commitMs * 1000, "µs"),
    of("sum", "  processor time of the sums", cpu.sum * 1000, "µs"),
    of("move", "  processor time of moving and joining", cpu.move * 1000, "µs"),
  ];
}

/** As the job does: sums first, so that what is not summed is in the table. */
async function moveDue(
  { events, payloads }: Pick<StoredSpans, "events" | "payloads">,
  before: number,
  cpu: { sum: number; move: number },
): Promise<void> {
  for (const day of await events.movedDays.listDue(before)) {
    let began = cpuMs();
    while (await events.rollUp(Number.POSITIVE_INFINITY));
    cpu.sum += cpuMs() - began;
    began = cpuMs();
    const moved = await events.movedDays.move(day);
    if (moved) await stripRowLog({ events, payloads }, moved, { sealDigest: async () => undefined, reserveBytes: 0 });
    cpu.move += cpuMs() - began;
  }
}

interface Parts {
  days: number;
  database: number;
  files: number;
}

function partsOf(dir: string, database: number): Parts {
  return { days: sizeOfFolder(join(dir, "days")), database, files: sizeOfFolder(join(dir, "payloads")) };
}

function sumOf({ days, database, files }: Parts): number {
  return days + database + files;
}

function sizeOfFolder(dir: string): number {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** A file does not shrink: new rows take the blocks that are free. */
async function usedBytes(path: string): Promise<number> {
  const instance = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const [row] = (
    await connection.runAndReadAll(
      "SELECT (block_size * used_blocks)::DOUBLE AS bytes FROM pragma_database_size() WHERE database_name = current_database()",
    )
  ).getRowObjectsJS();
  connection.closeSync();
  instance.closeSync();
  return Number(row?.bytes);
}
