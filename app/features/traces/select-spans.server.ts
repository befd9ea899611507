import { LRUCache } from "lru-cache";
import type { Workspace } from "../../access/workspace.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { chooseSpans } from "../../domain/traces/choose-spans.ts";
import { fitWindow, type TimeWindow } from "../../domain/traces/time-window.ts";
import { listTraceRows, withAncestors } from "../../domain/traces/trace-rows.ts";
import { findSpansOfTrace } from "./find-spans-of-trace.server.ts";
import { findSpan, type ReadTrace } from "./read-trace.server.ts";
import type { TraceOptions } from "./trace-options.ts";

/** Selections that are kept with a trace: people scroll in one, and go back to the one before. */
const MAX_KEPT = 3;
/** Matches that the reader can step through. Further ones are only counted. */
const MAX_LISTED_MATCHES = 1_000;

/** The selected part of a trace. It is the same for all views. */
export interface SelectedSpans {
  /** By index of the span: 1 if the search matches it. */
  found: Uint8Array;
  /** Errors of the search. If there are any, nothing is found. */
  problems: SearchError[];
  /** By index of the span: 1 if it is selected. Null: all spans are. */
  chosen: Uint8Array | null;
  chosenCount: number;
  /** The selected time. Null: all of it. */
  window: TimeWindow | null;
  /** See `listTraceRows`. */
  rows: Int32Array;
  /** Ids of spans whose descendants are not shown. */
  folded: ReadonlySet<bigint>;
  /** Indexes of rows that match the search, at most `MAX_LISTED_MATCHES`. */
  matches: number[];
  matchCount: number;
}

const selections = new WeakMap<ReadTrace, LRUCache<string, Promise<SelectedSpans>>>();

/**
 * Selects spans of a trace.
 * @returns the same object as long as the trace is kept
 */
export function selectSpans(workspace: Workspace, trace: ReadTrace, options: TraceOptions): Promise<SelectedSpans> {
  const { window, services, op, words, isFiltered, folded } = options;
  const ofTrace = selections.get(trace) ?? new LRUCache<string, Promise<SelectedSpans>>({ max: MAX_KEPT });
  selections.set(trace, ofTrace);
  const key = JSON.stringify([window, services, op, words, isFiltered, folded]);
  const known = ofTrace.get(key) ?? select(workspace, trace, options);
  ofTrace.set(key, known);
  known.catch(() => ofTrace.delete(key));
  return known;
}

async function select(workspace: Workspace, trace: ReadTrace, options: TraceOptions): Promise<SelectedSpans> {
  const { tree } = trace;
  const { found, problems } = await findSpansOfTrace(workspace, trace, options.words);
  const isFiltered = options.isFiltered && options.words.trim() !== "" && problems.length === 0;
  const window = options.window && fitWindow(options.window, tree.endedUs - tree.startedUs);
  const choice = { window, services: new Set(options.services), op: options.op, among: isFiltered ? found : null };
  const chosen = chooseSpans(tree, choice);
  const leading = withAncestors(tree, found);
  const folded = new Set(unfoldFound(trace, options.folded, leading));
  // If spans are filtered by service, op or search, others may have run between them. Then gaps would be wrong.
  const hasGaps = choice.services.size === 0 && choice.op === null && choice.among === null;
  const kept = chosen && withAncestors(tree, chosen);
  const rows = listTraceRows(tree, { folded, kept, gaps: hasGaps ? trace.gaps : null });
  const matches: number[] = [];
  let matchCount = 0;
  for (let row = 0; row < rows.length; row++) {
    const index = rows[row] as number;
    if (found[index] !== 1 || (chosen !== null && chosen[index] !== 1)) continue;
    matchCount++;
    if (matches.length < MAX_LISTED_MATCHES) matches.push(row);
  }
  const chosenCount = chosen === null ? tree.spans.count : chosen.reduce((sum, each) => sum + each, 0);
  return { found, problems, chosen, chosenCount, window, rows, folded, matches, matchCount };
}

/** The folded spans, without those that have a match below them. */
function unfoldFound(trace: ReadTrace, folded: readonly string[], leading: Uint8Array): bigint[] {
  return folded.filter((id) => leading[findSpan(trace, id)] !== 1).map((id) => BigInt(`0x${id}`));
}
