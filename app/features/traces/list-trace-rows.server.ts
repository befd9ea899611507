import { listPathTimes } from "../../domain/traces/critical-path.ts";
import { listTraceRows, matchSpans, withAncestors } from "../../domain/traces/trace-rows.ts";
import { isFailed, kindOf, spanIdOf } from "../../domain/traces/trace-spans.ts";
import { isOrphan } from "../../domain/traces/trace-tree.ts";
import { findSpan, type ReadTrace } from "./read-trace.server.ts";
import type { TraceOptions } from "./trace-options.ts";
import type { TraceRow, TraceRowsWindow } from "./trace-rows-view.ts";

/** A window of rows. */
export const ROWS_AT_ONCE = 200;
/** Those that one steps through; more are counted. */
const MAX_LISTED_MATCHES = 1_000;
/** Rows above the one that is asked for. */
const ROWS_BEFORE = 12;
/** What is closer together on the axis is one: a picture of the width of a page has not more points. */
const PLOT_POINTS = 1_000;
/** What a row is wide for. */
const MAX_NAME_LENGTH = 300;

/**
 * The rows of a waterfall from number `from` on; null: around the span that is open, or else the first.
 */
export function listRowsOfTrace(trace: ReadTrace, options: TraceOptions, from: number | null): TraceRowsWindow {
  const { tree } = trace;
  const found = matchSpans(tree, options.words);
  const leading = withAncestors(tree, found);
  const isFiltered = options.isFiltered && options.words.trim() !== "";
  const folded = new Set(unfoldFound(trace, options.folded, leading));
  const rows = listTraceRows(tree, { folded, kept: isFiltered ? leading : null });
  const matches: number[] = [];
  let matchCount = 0;
  for (let row = 0; row < rows.length; row++) {
    if (found[rows[row] as number] !== 1) continue;
    matchCount++;
    if (matches.length < MAX_LISTED_MATCHES) matches.push(row);
  }
  const first = from ?? firstRowAround(trace, rows, options.spanId);
  const start = Math.max(0, Math.min(first, rows.length - 1));
  const shown = Array.from(rows.subarray(start, start + ROWS_AT_ONCE));
  const isFolded = (index: number) => folded.has(tree.spans.ids[index] as bigint);
  return {
    from: start,
    rows: shown.map((code) => describeRow(trace, code, { found, isFolded })),
    count: rows.length,
    matches,
    matchCount,
  };
}

/** Without those that have something below them that was found. */
function unfoldFound(trace: ReadTrace, folded: readonly string[], leading: Uint8Array): bigint[] {
  return folded.filter((id) => leading[findSpan(trace, id)] !== 1).map((id) => BigInt(`0x${id}`));
}

function firstRowAround(trace: ReadTrace, rows: Int32Array, spanId: string | null): number {
  const index = spanId === null ? -1 : findSpan(trace, spanId);
  const row = index < 0 ? -1 : rows.indexOf(index);
  return row < ROWS_AT_ONCE - ROWS_BEFORE ? 0 : row - ROWS_BEFORE;
}

function describeRow(
  trace: ReadTrace,
  code: number,
  { found, isFolded }: { found: Uint8Array; isFolded(index: number): boolean },
): TraceRow {
  const { tree, serviceIndexes, gaps, path, errorCounts, logCounts } = trace;
  const { spans } = tree;
  const index = code < 0 ? -1 - code : code;
  const kind = kindOf(spans, index);
  const id = spanIdOf(spans, index);
  const depth = tree.depths[index] as number;
  const service = serviceIndexes.get(kind.service) ?? 0;
  const startUs = (spans.startedUs[index] as number) - tree.startedUs;
  if (code < 0) {
    const durationUs = gaps.get(index) ?? 0;
    return { kind: "gap", id, depth, service, startUs: startUs - durationUs, durationUs };
  }
  const inTrace = { fromUs: tree.startedUs, toUs: tree.endedUs, minUs: (tree.endedUs - tree.startedUs) / PLOT_POINTS };
  return {
    kind: "span",
    id,
    depth,
    service,
    op: kind.op,
    name: kind.name?.slice(0, MAX_NAME_LENGTH) ?? null,
    startUs,
    durationUs: spans.durationUs[index] as number,
    selfUs: tree.selfUs[index] as number,
    childCount: tree.childCounts[index] as number,
    isFolded: isFolded(index),
    isFailed: isFailed(kind),
    status: kind.httpStatus === null ? wordOf(kind.status) : String(kind.httpStatus),
    missingParentId: isOrphan(tree, index) ? (spans.parentIds[index] as bigint).toString(16).padStart(16, "0") : null,
    errorCount: errorCounts.get(id) ?? 0,
    logCount: logCounts.get(id) ?? 0,
    isMatch: found[index] === 1,
    path: listPathTimes(path, index, inTrace).map(([from, to]) => [from - tree.startedUs, to - tree.startedUs]),
  };
}

/** That all is well needs no word. */
function wordOf(status: string | null): string | null {
  return status === null || status === "ok" || status === "unset" ? null : status.replaceAll("_", " ");
}
