import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, formatNumber } from "./figure.ts";
import type { SpanForm } from "./make-spans.ts";
import type { Measurement } from "./measurement.ts";
import { cpuMs, storeSpans } from "./store-spans.ts";

const GOAL_BYTES = 60;
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
  const { events, path, emptyBytes, spans, sentBytes, mapMs, commitMs } = await storeSpans(dir, form, spanCount);
  await events.checkpoint();
  const rows = statSync(path).size - emptyBytes;
  const began = cpuMs();
  while (await events.rollUp(Number.POSITIVE_INFINITY));
  const sumMs = cpuMs() - began;
  await events.close();
  const sums = statSync(path).size - emptyBytes - rows;
  const files = readdirSync(join(dir, "payloads"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
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
    of("map", "  processor time, map stage", mapMs * 1000, "µs"),
    of("commit", "  processor time, commit stage with all threads", commitMs * 1000, "µs"),
    of("sum", "  processor time of the sums", sumMs * 1000, "µs"),
  ];
}
