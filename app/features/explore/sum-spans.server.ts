import type { Workspace } from "../../access/workspace.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import type { DurationHistogram } from "../../domain/spans/duration-histogram.ts";
import { aggregateOf, isUnsure, type SpanAggregate } from "../../domain/spans/span-aggregates.ts";
import type {
  SearchReach,
  SpanGroupOrder,
  SpanGroupSum,
  SpanKey,
  SpanSearchFilter,
  SpanSumOptions,
} from "../../stores/events/span-search.ts";

export interface SpanSumRow {
  /** Values of the keys, in their order; null: a span has none. */
  group: ReadonlyArray<string | null>;
  /** In the order of the aggregates; see `unitOf`. */
  values: Array<number | null>;
  spans: number;
  weight: number;
  isUnsure: boolean;
}

export interface SpanSums extends SearchReach {
  rows: SpanSumRow[];
  hasMore: boolean;
}

/** Figures of the groups that come first. */
export async function sumSpans(
  workspace: Workspace,
  filter: SpanSearchFilter,
  {
    aggregates,
    ...options
  }: Omit<SpanSumOptions, "bucketMs" | "wholeLimit"> & { aggregates: readonly SpanAggregate[] },
): Promise<SpanSums> {
  const found = await workspace.events.sumFoundSpans(filter, { ...options, bucketMs: null });
  const { sums, hasMore, searchedFrom, progress } = found;
  const names = await nameValues(workspace, options.by);
  const rows = toRows(sums, aggregates, names, options.order);
  return { rows, hasMore, searchedFrom, ...(progress && { progress }) };
}

export interface SpanSeries extends SearchReach {
  /** In their order. A bucket is null where the group has no spans. */
  groups: Array<{ group: ReadonlyArray<string | null>; buckets: Array<SpanSumRow | null> }>;
  hasMore: boolean;
}

/** Of all spans, one for each bucket. */
export interface SpanTotals {
  spans: number;
  weight: number;
  durations: DurationHistogram[];
}

interface SpanSeriesOptions extends SpanSumOptions {
  aggregates: readonly SpanAggregate[];
  bucketMs: number;
}

/** The same over time, in buckets from the filter's begin to its end, and of the whole range where that is asked for. */
export async function sumSpansOverTime(
  workspace: Workspace,
  filter: SpanSearchFilter,
  { aggregates, ...options }: SpanSeriesOptions,
): Promise<{ series: SpanSeries; totals: SpanTotals; whole: SpanSums }> {
  const { sums, totals, whole, ...rest } = await workspace.events.sumFoundSpans(filter, options);
  const { hasMore: _, ...reach } = rest;
  const { bucketMs, order } = options;
  const names = await nameValues(workspace, options.by);
  const count = Math.ceil((filter.to - filter.from) / bucketMs);
  const indexOf = ({ at }: SpanGroupSum) => Math.floor(((at ?? filter.from) - filter.from) / bucketMs);
  const groups = new Map<string, SpanSeries["groups"][number]>();
  for (const sum of sums) {
    const row = toRow(sum, aggregates, names);
    const key = JSON.stringify(sum.group);
    const group = groups.get(key) ?? { group: row.group, buckets: new Array<SpanSumRow | null>(count).fill(null) };
    groups.set(key, group);
    const index = indexOf(sum);
    if (index >= 0 && index < count) group.buckets[index] = row;
  }
  const durations = new Array<DurationHistogram>(count).fill([]);
  for (const total of totals) if (indexOf(total) in durations) durations[indexOf(total)] = total.durations;
  return {
    series: { ...rest, groups: [...groups.values()] },
    totals: {
      spans: totals.reduce((sum, { spans }) => sum + spans, 0),
      weight: totals.reduce((sum, { weight }) => sum + weight, 0),
      durations,
    },
    whole: { ...reach, rows: toRows(whole.sums, aggregates, names, order), hasMore: whole.hasMore },
  };
}

/** Projects are in the order of their slugs, which the store does not know. */
function toRows(
  sums: readonly SpanGroupSum[],
  aggregates: readonly SpanAggregate[],
  names: GroupNames,
  order: SpanGroupOrder | undefined,
): SpanSumRow[] {
  const rows = sums.map((sum) => toRow(sum, aggregates, names));
  if (typeof order?.of !== "number" || names[order.of] === undefined) return rows;
  const { of: key, isDescending } = order;
  return rows.sort((a, b) => (isDescending ? -1 : 1) * (a.group[key] ?? "").localeCompare(b.group[key] ?? "", "en"));
}

function toRow(sum: SpanGroupSum, aggregates: readonly SpanAggregate[], names: GroupNames): SpanSumRow {
  return {
    group: sum.group.map((value, index) => (value === null ? null : (names[index]?.get(value) ?? value))),
    values: aggregates.map((aggregate) => aggregateOf(aggregate, sum)),
    spans: sum.spans,
    weight: sum.weight,
    isUnsure: isUnsure(sum),
  };
}

/** For each key, what stands for its values; undefined: they stand for themselves. */
type GroupNames = ReadonlyArray<ReadonlyMap<string, string> | undefined>;

/** Rows have projects by their numbers, and 0 and 1 for what is false and true. */
async function nameValues(workspace: Workspace, by: readonly SpanKey[]): Promise<GroupNames> {
  const isProject = ({ name, isTag }: SpanKey) => name === "projectId" && !isTag;
  const projects = by.some(isProject) ? await workspace.state.projects.listProjects(workspace.scope) : [];
  const slugs = new Map(projects.map(({ id, slug }) => [String(id), slug]));
  return by.map((key) => {
    if (isProject(key)) return slugs;
    return !key.isTag && BOOLEAN_FIELDS.has(key.name) ? TRUE_OR_FALSE : undefined;
  });
}

const BOOLEAN_FIELDS: ReadonlySet<string> = new Set(
  SPAN_VOCABULARY.fields.flatMap(({ type, fields }) => (type === "boolean" ? fields : [])),
);
const TRUE_OR_FALSE: ReadonlyMap<string, string> = new Map([
  ["0", "false"],
  ["1", "true"],
]);
