import { cutText } from "../../domain/cut-text.ts";
import { listPathTimes } from "../../domain/traces/critical-path.ts";
import { listOwnTimes } from "../../domain/traces/own-times.ts";
import { isFailed, kindOf, spanIdOf } from "../../domain/traces/trace-spans.ts";
import { isOrphan } from "../../domain/traces/trace-tree.ts";
import { findSpan, keyOfSpan, type ReadTrace } from "./read-trace.server.ts";
import type { SelectedSpans } from "./select-spans.server.ts";
import type { TraceRow, TraceRowsWindow } from "./trace-rows-view.ts";

/** Rows in one answer. */
const ROWS_AT_ONCE = 100;
/** Rows before the requested one. */
const ROWS_BEFORE = 12;
/** The resolution of the time axis: closer points are drawn as one. A page is not wider than this. */
const PLOT_POINTS = 500;
/** Characters. A row has no room for more. */
const MAX_NAME_LENGTH = 300;

/** The rows of a waterfall from index `from` on. Null: the rows around the open span, otherwise the first ones. */
export function listRowsOfTrace(
  trace: ReadTrace,
  selected: SelectedSpans,
  { from, spanKey }: { from: number | null; spanKey: string | null },
): TraceRowsWindow {
  const { rows, matches, matchCount } = selected;
  const first = from ?? firstRowAround(trace, rows, spanKey);
  const start = Math.max(0, Math.min(first, rows.length - 1));
  const shown = Array.from(rows.subarray(start, start + ROWS_AT_ONCE));
  return {
    from: start,
    rows: shown.map((code) => describeRow(trace, selected, code)),
    count: rows.length,
    matches,
    matchCount,
  };
}

function firstRowAround(trace: ReadTrace, rows: Int32Array, spanKey: string | null): number {
  const index = spanKey === null ? -1 : findSpan(trace, spanKey);
  const row = index < 0 ? -1 : rows.indexOf(index);
  return row < ROWS_AT_ONCE - ROWS_BEFORE ? 0 : row - ROWS_BEFORE;
}

function describeRow(trace: ReadTrace, { found, chosen, folded, window }: SelectedSpans, code: number): TraceRow {
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
  const fromUs = tree.startedUs + (window?.fromUs ?? 0);
  const toUs = window === null ? tree.endedUs : tree.startedUs + window.toUs;
  const part = { fromUs, toUs, minUs: (toUs - fromUs) / PLOT_POINTS };
  const sinceBegin = ([from, to]: [number, number]): [number, number] => [from - tree.startedUs, to - tree.startedUs];
  return {
    kind: "span",
    id,
    key: keyOfSpan(tree, index),
    depth,
    service,
    op: kind.op,
    name: kind.name && cutText(kind.name, MAX_NAME_LENGTH),
    startUs,
    durationUs: spans.durationUs[index] as number,
    selfUs: tree.selfUs[index] as number,
    childCount: tree.childCounts[index] as number,
    own: tree.childCounts[index] === 0 ? [] : listOwnTimes(tree, index, part).map(sinceBegin),
    isFolded: folded.has(spans.ids[index] as bigint),
    isFailed: isFailed(kind),
    status: kind.httpStatus === null ? wordOf(kind.status) : String(kind.httpStatus),
    missingParentId: isOrphan(tree, index) ? (spans.parentIds[index] as bigint).toString(16).padStart(16, "0") : null,
    errorCount: errorCounts.get(id) ?? 0,
    logCount: logCounts.get(id) ?? 0,
    marks: (trace.marks.get(id) ?? []).map(({ atUs, ...mark }) => ({ ...mark, atUs: atUs - tree.startedUs })),
    isMatch: found[index] === 1,
    isBeside: chosen !== null && chosen[index] !== 1,
    path: listPathTimes(path, index, part).map(sinceBegin),
  };
}

/** The status as a word. Null if all is well. */
function wordOf(status: string | null): string | null {
  return status === null || status === "ok" || status === "unset" ? null : status.replaceAll("_", " ");
}
