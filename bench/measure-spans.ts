import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { toDay } from "../app/domain/time.ts";
import { stripRowLog } from "../app/jobs/move-days.ts";
import { type Figure, formatNumber } from "./figure.ts";
import type { SpanForm } from "./make-spans.ts";
import type { Measurement } from "./measurement.ts";
import { cpuMs, storeSpans } from "./store-spans.ts";

const GOAL_BYTES = 60;
const GOAL_BYTES_LATER = 40;
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
  const stored = await storeSpans(dir, form, spanCount);
  const { events, payloads, path, emptyBytes, spans, sentBytes, mapMs, commitMs } = stored;
  await events.checkpoint();
  const rows = statSync(path).size - emptyBytes;
  let began = cpuMs();
  while (await events.rollUp(Number.POSITIVE_INFINITY));
  const sumMs = cpuMs() - began;
  await events.checkpoint();
  const sums = statSync(path).size - emptyBytes - rows;
  const files = sizeOfFolder(join(dir, "payloads"));
  began = cpuMs();
  // Of the day after: the same rows, so that the clock need not wait.
  for (const day of await events.movedDays.listDue(toDay(Date.now()) + 2)) {
    const moved = await events.movedDays.move(day);
    if (moved) await stripRowLog({ events, payloads }, moved, { sealDigest: async () => undefined, reserveBytes: 0 });
  }
  const moveMs = cpuMs() - began;
  await payloads.close();
  await events.close();
  const later = {
    days: sizeOfFolder(join(dir, "days")),
    files: sizeOfFolder(join(dir, "payloads")),
    database: (await usedBytes(path)) - emptyBytes,
  };
  const of = (name: string, what: string, value: number, unit: Figure["unit"]): Figure => ({
    name: `spans.${form}.${name}`,
    what,
    value: value / spans,
    unit,
    better: "lower",
  });
  return [
    {
      ...of("bytes", `on disk per span of a ${form}`, rows + sums + files, "bytes"),
      goal: GOAL_BYTES,
      note: `${formatNumber(sentBytes / spans)} bytes sent`,
    },
    of("rows", "  rows in DuckDB", rows, "bytes"),
    of("sums", "  sums, traces and values of attributes in DuckDB", sums, "bytes"),
    of("files", form === "transaction" ? "  row log, and payloads of transactions" : "  row log", files, "bytes"),
    {
      ...of("later", "  the same after its day is over", later.days + later.files + later.database, "bytes"),
      goal: GOAL_BYTES_LATER,
      note: "blocks of DuckDB that are in use",
    },
    of("later.days", "    its file of the day", later.days, "bytes"),
    of("later.database", "    sums, traces and values of attributes in DuckDB", later.database, "bytes"),
    of(
      "later.files",
      form === "transaction" ? "    row log, and payloads of transactions" : "    row log",
      later.files,
      "bytes",
    ),
    of("map", "  processor time, map stage", mapMs * 1000, "µs"),
    of("commit", "  processor time, commit stage with all threads", commitMs * 1000, "µs"),
    of("sum", "  processor time of the sums", sumMs * 1000, "µs"),
    of("move", "  processor time of moving its day", moveMs * 1000, "µs"),
  ];
}

function sizeOfFolder(dir: string): number {
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
