import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SYMBOLICATOR_STORES_MODULE } from "../app/server/open-symbolicator-stores.ts";
import { openBlobFiles } from "../app/stores/files/open-blob-files.ts";
import { openSqliteState } from "../app/stores/sqlite/open-sqlite-state.ts";
import { EVERYTHING } from "../app/stores/state/contract/fixture.ts";
import { makeBundle } from "../app/symbolicate/fixtures/map-stacks.ts";
import { openSymbolicator, type SymbolicatorOwner } from "../app/symbolicate/open-symbolicator.ts";
import { summarize } from "./distribution.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { readResidentMemory } from "./machine.ts";
import { makeSourceMap } from "./make-source-map.ts";
import type { BenchOptions, Measurement } from "./measurement.ts";

const MAP_BYTES = 10_000_000;
const FRAMES_PER_EVENT = 20;
const URL = "https://shop.example/assets/app.js";
const PROJECT_ID = 1;
const IN_FLIGHT = 16;
const LOG = { warn: () => {}, error: (_: object, message: string) => process.stderr.write(`${message}\n`) };

/** Frames mapped a second by the symbolicator's thread over the real stores, and what the maps of many releases take. */
export const measureSymbolication: Measurement = {
  name: "symbolication",
  what: "mapping frames with maps of 10 MB: the first event of a release, those after it, memory with many releases",
  async run(bench) {
    const dir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
    try {
      const releases = bench.isQuick ? 30 : 200;
      bench.say(`symbolication: uploading ${releases} releases`);
      const columns = await upload(dir, releases);
      const before = residentMegabytes();
      const symbolicator = openSymbolicator({
        storesModule: SYMBOLICATOR_STORES_MODULE,
        storesOptions: { statePath: join(dir, "state.sqlite"), blobDir: join(dir, "blobs") },
        limitMs: 60_000,
        log: LOG,
      });
      try {
        return { figures: await measure(symbolicator, { bench, releases, columns, before }), cpu: null };
      } finally {
        await symbolicator.close();
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

async function measure(
  symbolicator: SymbolicatorOwner,
  { bench, releases, columns, before }: { bench: BenchOptions; releases: number; columns: number[]; before: number },
): Promise<Figure[]> {
  const map = async (release: number, seed: number): Promise<void> => {
    const { report } = await symbolicator.symbolicate(makeEvent(release, columns, seed), { projectId: PROJECT_ID });
    if (report.frames.some(({ mapping }) => mapping.state !== "found")) throw new Error("a frame was not mapped");
  };
  const coldMs: number[] = [];
  let largest = 0;
  for (let release = 0; release < releases; release++) {
    bench.say(`symbolication: release ${release + 1}`);
    const startedAt = performance.now();
    await map(release, release);
    coldMs.push(performance.now() - startedAt);
    largest = Math.max(largest, residentMegabytes());
  }
  bench.say("symbolication: warm");
  const seconds = bench.isQuick ? 2 : 5;
  const startedAt = performance.now();
  let events = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() - startedAt < seconds * 1_000) await map(releases - 1, events++);
    }),
  );
  const warmPerSecond = (events * FRAMES_PER_EVENT) / ((performance.now() - startedAt) / 1_000);
  const { p50, max } = summarize(coldMs);
  const { bytes } = await symbolicator.stats();
  const note = `median of ${releases}, worst ${formatNumber(max)} ms`;
  return [
    {
      name: "symbolication.cold",
      what: "first event of a release, map of 10 MB",
      value: p50,
      unit: "ms",
      better: "lower",
      note,
    },
    {
      name: "symbolication.warm",
      what: `frames, events of ${FRAMES_PER_EVENT} frames`,
      value: warmPerSecond,
      unit: "/s",
      better: "higher",
      note: `${formatNumber(warmPerSecond / FRAMES_PER_EVENT)} events a second`,
    },
    {
      name: "symbolication.memory",
      what: `memory gained by ${releases} releases`,
      value: largest - before,
      unit: "MB",
      better: "lower",
      note: `resident, at most; the cache itself says ${formatNumber(bytes / 1e6)} MB`,
    },
  ];
}

async function upload(dir: string, releases: number): Promise<number[]> {
  const state = await openSqliteState({ path: join(dir, "state.sqlite") });
  const blobs = await openBlobFiles({ dir: join(dir, "blobs") });
  const { code, map, callColumns } = makeSourceMap(MAP_BYTES);
  const url = "~/assets/app.js";
  const files = [
    { url, type: "minified_source", content: code },
    { url: `${url}.map`, type: "source_map", content: map },
  ];
  const bytes = makeBundle(files);
  const packed = join(dir, "bundle.zip");
  for (let release = 0; release < releases; release++) {
    writeFileSync(packed, bytes);
    // Each upload counts as its own: the cache knows them by checksum.
    const checksum = createHash("sha1").update(String(release)).digest("hex");
    const copy = join(dir, "copy.zip");
    copyFileSync(packed, copy);
    await blobs.putFile(checksum, copy);
    const facts = { container: "zip" as const, debugId: null, note: null, uploadedBy: null, uploadedAt: release };
    await state.artifacts.saveArtifactBundle(
      EVERYTHING,
      {
        ...facts,
        checksum,
        bytes: bytes.length,
        projectIds: [PROJECT_ID],
        releases: [{ version: `shop@${release}`, dist: null }],
      },
      files.map(({ url: fileUrl, type, content }) => ({
        path: fileUrl.replace("~/", "_/_/"),
        type: type === "source_map" ? ("source_map" as const) : ("minified_source" as const),
        url: fileUrl,
        debugId: null,
        sourceMapUrl: type === "source_map" ? null : "app.js.map",
        bytes: content.length,
      })),
    );
  }
  await state.close();
  return callColumns;
}

function makeEvent(release: number, columns: readonly number[], seed: number) {
  const frames = Array.from({ length: FRAMES_PER_EVENT }, (_, index) => ({
    abs_path: URL,
    function: "e",
    lineno: 1,
    colno: columns[(seed * 7_919 + index * 104_729) % columns.length],
    in_app: true,
  }));
  return {
    platform: "javascript",
    release: `shop@${release}`,
    exception: { values: [{ type: "TypeError", value: "x is undefined", stacktrace: { frames } }] },
  };
}

function residentMegabytes(): number {
  const memory = readResidentMemory(process.pid);
  return (memory === null ? process.memoryUsage.rss() : memory.residentBytes) / 1e6;
}
