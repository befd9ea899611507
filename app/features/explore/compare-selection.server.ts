import type { Workspace } from "../../access/workspace.ts";
import { allOf, type Condition } from "../../domain/search/condition.ts";
import { findDifferences, type SpanDifference } from "../../domain/spans/span-differences.ts";
import type { ComparedSpans, SpanSearchFilter } from "../../stores/events/span-search.ts";
import type { Selection } from "./selection.ts";

interface ComparedSide {
  /** Spans that match the search. */
  spans: number;
  /** The number of spans that they stand for, by the sampling rates of the spans that were read. */
  weight: number;
  /** Spans whose attributes were read. */
  read: number;
}

export interface SelectionComparison {
  differences: SpanDifference[];
  /** The number of keys whose shares differ less. */
  otherKeys: number;
  selected: ComparedSide;
  rest: ComparedSide;
}

/** The values in which the selected spans differ from the others that match the search. */
export async function compareSelection(
  { events }: Workspace,
  filter: SpanSearchFilter,
  { from, to, minUs, maxUs }: Selection,
): Promise<SelectionComparison> {
  const selection = { fromUs: from * 1000, toUs: to * 1000, minUs, maxUs };
  const { selected, rest, ...found } = await events.compareSpans(filter, selection);
  return {
    ...findDifferences(found, { selectedWeight: selected.weight, restWeight: rest.weight }),
    selected: toSide(selected),
    rest: toSide(rest),
  };
}

function toSide({ spans, read, weight }: ComparedSpans): ComparedSide {
  return { spans, read, weight: read > 0 ? (spans * weight) / read : 0 };
}

/** The filter for the selected spans only. */
export function narrowToSelection(filter: SpanSearchFilter, selection: Selection | null): SpanSearchFilter {
  if (selection === null) return filter;
  const { from, to, minUs, maxUs } = selection;
  const isDuration = (sign: ">=" | "<", us: number): Condition => ({
    kind: "test",
    field: "durationMs",
    isTag: false,
    isNegated: false,
    test: { kind: "compare", sign, value: us / 1000 },
  });
  return {
    ...filter,
    from: Math.max(from, filter.from),
    to: Math.min(to, filter.to),
    where: allOf([filter.where, isDuration(">=", minUs), isDuration("<", maxUs)]),
  };
}
