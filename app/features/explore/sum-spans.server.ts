import type { Workspace } from "../../access/workspace.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import type { DurationHistogram } from "../../domain/spans/duration-histogram.ts";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import { listNumberAttributes, type SpanFigure, valueOfFigure } from "../../domain/spans/span-figure.ts";
import type {
  SearchReach,
  SpanGroupOrder,
  SpanGroupSum,
  SpanKey,
  SpanSearchFilter,
  SpanSumOptions,
} from "../../stores/events/span-search.ts";
import { nameServiceKeys } from "../projects/name-service-keys.server.ts";
import { toSpanKey } from "./plan-span-search.server.ts";

/** A question about groups of spans. */
export interface SpanSumQuestion {
  by: readonly SpanKey[];
  /** Figures of at most `MAX_NUMBERS` attributes. */
  figures: readonly SpanFigure[];
  /** The order: by a figure, or by the key at an index of `by`. Null: groups of most spans first. */
  sort: { of: SpanFigure | number; isDescending: boolean } | null;
  /** The highest number of groups. */
  limit: number;
}

export interface SpanSumRow {
  /** Values of the keys, in the order of the keys. Null: the spans have none. */
  group: ReadonlyArray<string | null>;
  /** Values of the figures, in the order of the figures. See `unitOfSpanFigure`. */
  values: Array<number | null>;
  spans: number;
  weight: number;
  isUnsure: boolean;
}

export interface SpanSums extends SearchReach {
  rows: SpanSumRow[];
  hasMore: boolean;
}

/** The figures of the first groups. */
export async function sumSpans(
  workspace: Workspace,
  filter: SpanSearchFilter,
  question: SpanSumQuestion,
): Promise<SpanSums> {
  const by = await nameServiceKeys(workspace, filter.projectIds, question.by);
  const found = await workspace.events.sumFoundSpans(filter, { ...toOptions({ ...question, by }), bucketMs: null });
  const { sums, hasMore, searchedFrom, progress } = found;
  const names = await nameValues(workspace, question.by);
  const rows = toRows(sums, names, question);
  return { rows, hasMore, searchedFrom, ...(progress && { progress }) };
}

export interface SpanSeries extends SearchReach {
  /** Groups in their order. A bucket is null if the group has no spans in it. */
  groups: Array<{ group: ReadonlyArray<string | null>; buckets: Array<SpanSumRow | null> }>;
  hasMore: boolean;
}

/** Figures of all spans, with one entry for each bucket. */
export interface SpanTotals {
  spans: number;
  weight: number;
  durations: DurationHistogram[];
}

function toOptions({ by, figures, sort, limit }: SpanSumQuestion): Omit<SpanSumOptions, "bucketMs" | "wholeLimit"> {
  const attributes = listNumberAttributes([...figures, ...(typeof sort?.of === "object" ? [sort.of] : [])]);
  const numbers = attributes.flatMap((key) => toSpanKey(key) ?? []);
  return { by, limit, ...(numbers.length > 0 && { numbers }), ...(sort && { order: toOrder(sort, attributes) }) };
}

function toOrder(
  { of, isDescending }: NonNullable<SpanSumQuestion["sort"]>,
  attributes: readonly string[],
): SpanGroupOrder {
  if (typeof of === "number") return { of, isDescending };
  const { aggregate, attribute } = of;
  return { of: aggregate, isDescending, ...(attribute !== null && { number: attributes.indexOf(attribute) }) };
}

/** The same figures over time, in buckets from the start of the filter to its end. On request also for the whole range. */
export async function sumSpansOverTime(
  workspace: Workspace,
  filter: SpanSearchFilter,
  { bucketMs, wholeLimit, ...question }: SpanSumQuestion & { bucketMs: number; wholeLimit?: number },
): Promise<{ series: SpanSeries; totals: SpanTotals; whole: SpanSums }> {
  const by = await nameServiceKeys(workspace, filter.projectIds, question.by);
  const { sums, totals, whole, ...rest } = await workspace.events.sumFoundSpans(filter, {
    ...{ ...toOptions({ ...question, by }), bucketMs },
    ...(wholeLimit !== undefined && { wholeLimit }),
  });
  const { hasMore: _, ...reach } = rest;
  const names = await nameValues(workspace, question.by);
  const count = Math.ceil((filter.to - filter.from) / bucketMs);
  const indexOf = ({ at }: SpanGroupSum) => Math.floor(((at ?? filter.from) - filter.from) / bucketMs);
  const groups = new Map<string, SpanSeries["groups"][number]>();
  for (const sum of sums) {
    const row = toRow(sum, names, question.figures);
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
    whole: { ...reach, rows: toRows(whole.sums, names, question), hasMore: whole.hasMore },
  };
}

/** Projects are sorted by slug, which the store does not know. */
function toRows(sums: readonly SpanGroupSum[], names: GroupNames, { figures, sort }: SpanSumQuestion): SpanSumRow[] {
  const rows = sums.map((sum) => toRow(sum, names, figures));
  if (typeof sort?.of !== "number" || names[sort.of] === undefined) return rows;
  const { of: key, isDescending } = sort;
  return rows.sort((a, b) => (isDescending ? -1 : 1) * (a.group[key] ?? "").localeCompare(b.group[key] ?? "", "en"));
}

function toRow(sum: SpanGroupSum, names: GroupNames, figures: readonly SpanFigure[]): SpanSumRow {
  const attributes = listNumberAttributes(figures);
  const numbersOf = ({ attribute }: SpanFigure) =>
    attribute === null ? undefined : sum.numbers?.[attributes.indexOf(attribute)];
  return {
    group: sum.group.map((value, index) => (value === null ? null : (names[index]?.get(value) ?? value))),
    values: figures.map((figure) => valueOfFigure(figure, sum, numbersOf(figure))),
    spans: sum.spans,
    weight: sum.weight,
    isUnsure: isUnsure(sum),
  };
}

/** For each key, the names of its values. Undefined: the values are shown as they are. */
type GroupNames = ReadonlyArray<ReadonlyMap<string, string> | undefined>;

/** Rows have ids of projects, and 0 and 1 for false and true. */
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
