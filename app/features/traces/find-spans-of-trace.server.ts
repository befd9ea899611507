import type { Workspace } from "../../access/workspace.ts";
import { anyOf, type Condition, type FieldTest, mapTests, negate } from "../../domain/search/condition.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { DAY_MS } from "../../domain/time.ts";
import { planSpanSearch } from "../explore/plan-span-search.server.ts";
import { MAX_TRACE_SPANS, originOf, type ReadTrace } from "./read-trace.server.ts";

/** Fields that text without a key is searched in. The name of the transaction is not one of them: all spans of a transaction have it. */
const TEXT_FIELDS = ["name", "op", "service", "status", "spanId"];

export interface FoundInTrace {
  /** By index of the span: 1 if the search matches it. */
  found: Uint8Array;
  count: number;
  /** Errors of the search. If there are any, nothing is found. */
  problems: SearchError[];
}

/** Finds the spans of a trace that match a search. The search can use everything that was sent with them. */
export async function findSpansOfTrace(workspace: Workspace, trace: ReadTrace, search: string): Promise<FoundInTrace> {
  const { spans } = trace.tree;
  const found = new Uint8Array(spans.count);
  if (search.trim() === "") return { found, count: 0, problems: [] };
  const at = originOf(trace) / 1_000;
  const range = {
    from: Math.floor(at) - DAY_MS,
    to: Math.ceil(at + (trace.tree.endedUs - trace.tree.startedUs) / 1_000) + DAY_MS,
  };
  const plan = await planSpanSearch(workspace, { search, projectIds: [], environments: [], ...range, now: Date.now() });
  if (plan.problems.length > 0) return { found, count: 0, problems: plan.problems };
  const filter = { projectIds: workspace.scope.projectIds, traceId: trace.traceId, limit: MAX_TRACE_SPANS };
  const where = mapTests(plan.filter.where, (test) => (isText(test) ? toOwnTexts(test) : test));
  const ordinals = new Set(await workspace.events.findTraceSpans(filter, where));
  let count = 0;
  for (let index = 0; index < spans.count; index++) {
    if (!ordinals.has(spans.ordinals[index] as number)) continue;
    found[index] = 1;
    count++;
  }
  return { found, count, problems: [] };
}

function isText({ field, isTag }: FieldTest): boolean {
  return !isTag && field === SPAN_VOCABULARY.text.field;
}

function toOwnTexts(test: FieldTest): Condition {
  const any = anyOf(TEXT_FIELDS.map((field) => ({ ...test, field, isNegated: false })));
  return test.isNegated ? negate(any) : any;
}
