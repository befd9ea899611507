import type { Workspace } from "../../access/workspace.ts";
import { MAX_NUMBERS } from "../../domain/number-sum.ts";
import { areManyNumbers, type NumberSummary, summarizeNumbers } from "../../domain/number-summary.ts";
import { ALWAYS } from "../../domain/search/condition.ts";
import { isComparable } from "../../domain/search/search-field.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { type DurationHeatmap, toDurationHeatmap } from "../../domain/spans/duration-heatmap.ts";
import { listNumberAttributes } from "../../domain/spans/span-figure.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import {
  type FoundSpan,
  type FoundTrace,
  MAX_GROUPS,
  type SearchProgress,
  type SearchReach,
  type SpanSearchFilter,
} from "../../stores/events/span-search.ts";
import { compareSelection, narrowToSelection, type SelectionComparison } from "./compare-selection.server.ts";
import { type ExploreOptions, toExploreTime } from "./explore-options.ts";
import { pickProjects } from "./pick-projects.server.ts";
import { findUnseenAttributes, planSpanSearch, toSpanKey } from "./plan-span-search.server.ts";
import {
  type SpanSeries,
  type SpanSumQuestion,
  type SpanSums,
  sumSpans,
  sumSpansOverTime,
} from "./sum-spans.server.ts";

const PAGE_SIZE = 50;
const CHART_GROUPS = 3;
const OFFERED_KEYS = 60;
const LISTED_KEYS = 40;
const VALUES_PER_KEY = 5;
/** Milliseconds after which no further numbers are read. */
const NUMBERS_BUDGET_MS = 1_200;

export type SampledSpan = FoundSpan;

export interface AttributeSummary {
  key: string;
  count: number;
  /** Whether the key has so many values that some are not counted. */
  isCut: boolean;
  values: Array<{ value: string; count: number }>;
  /** Null: there are few values, or most of them are not numbers, or it takes too long to read them. */
  numbers: NumberSummary | null;
}

export type ListedTrace = Omit<FoundTrace, "projectIds" | "matchedUs">;

export type ExploreContent =
  | { view: "samples"; spans: SampledSpan[]; nextCursor: string | null }
  | { view: "traces"; traces: ListedTrace[]; nextCursor: string | null }
  | { view: "aggregates"; sums: SpanSums }
  | { view: "attributes"; attributes: AttributeSummary[] };

export interface ExplorePage {
  from: number;
  to: number;
  problems: SearchError[];
  /** Sentences about results that may be missing. */
  notes: string[];
  /** How far back the search looked. Null: through the whole range. */
  reach: { searchedFrom: number; progress: SearchProgress } | null;
  /** All matching spans: how many are stored, and how many they stand for. */
  total: { spans: number; weight: number };
  series: SpanSeries;
  /** Its columns are as long as the points of the series. */
  heatmap: DurationHeatmap;
  /** The comparison of the selected spans with the others. Null: nothing is selected. */
  comparison: SelectionComparison | null;
  content: ExploreContent;
  /** Attributes that spans in the range have, the most frequent first. */
  keys: string[];
  environments: string[];
  isUnknownProject: boolean;
  /** The slug of the project that the server itself reports to, if its spans are left out. Null: they are not. */
  leftOut: string | null;
  /** Whether any span arrived in the range, whatever the search. */
  hasAny: boolean;
}

export async function getExplorePage(
  workspace: Workspace,
  { options, now }: { options: ExploreOptions; now: number },
): Promise<ExplorePage> {
  const { from, to, bucketMs } = toExploreTime(options.period, now);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const picked = pickProjects(workspace, options, projects);
  const plan = await planSpanSearch(workspace, {
    search: options.search,
    projectIds: picked?.projectIds ?? [-1],
    environments: options.environments,
    from,
    to,
    now,
  });
  const { problems, notes } = plan;
  const unknown = options.projectSlugs.filter((slug) => !projects.some((project) => project.slug === slug));
  const filter = { ...plan.filter, ...(options.before === null ? {} : { beforeOrdinal: options.before }) };
  const by = options.by.flatMap((key) => toSpanKey(key) ?? []);
  const attributes = listNumberAttributes(options.show).flatMap((text) => {
    const key = toSpanKey(text);
    return key?.isTag ? key.name : [];
  });
  const unseen = problems.length > 0 ? [] : await findUnseenAttributes(workspace, filter, attributes);
  const whole = { projectIds: filter.projectIds, from, to };
  const shared = {
    from,
    to,
    problems,
    notes: [
      ...unknown.map((slug) => `There is no project “${slug}”.`),
      ...notes,
      ...unseen.map(({ message }) => message),
    ],
    isUnknownProject: picked === null,
    leftOut: picked?.leftOut ?? null,
    keys: (await workspace.events.listAttributeKeys({ ...whole, signal: "spans" }, OFFERED_KEYS)).map(({ key }) => key),
    environments: await workspace.events.listEnvironments(filter.projectIds),
  };
  if (problems.length > 0) return { ...shared, ...NOTHING, hasAny: true };
  const isTable = options.view === "aggregates" && options.selection === null;
  const grouped = { by, figures: options.show, sort: toSort(options) };
  const chart = { ...grouped, limit: CHART_GROUPS, bucketMs, ...(isTable && { wholeLimit: MAX_GROUPS }) };
  const charting = sumSpansOverTime(workspace, filter, chart);
  const [{ series, totals }, { content, ...reach }, comparison] = await Promise.all([
    charting,
    isTable
      ? charting.then(({ whole }) => toTable(whole))
      : readContent(workspace, options, { filter: narrowToSelection(filter, options.selection), grouped }),
    options.selection && compareSelection(workspace, filter, options.selection),
  ]);
  const { spans, weight, durations } = totals;
  return {
    ...shared,
    reach: findNearest([reach, series]),
    total: { spans, weight },
    heatmap: toDurationHeatmap(durations),
    comparison,
    series,
    content,
    hasAny: spans > 0 || (await hasSpans(workspace, whole)),
  };
}

async function hasSpans({ events }: Workspace, range: Omit<SpanSearchFilter, "where">): Promise<boolean> {
  const { totals } = await events.sumFoundSpans({ ...range, where: ALWAYS }, { by: [], bucketMs: null, limit: 1 });
  return totals.length > 0;
}

/** The reach of the search that looked back least far. A search continues from there. */
function findNearest(reaches: readonly SearchReach[]): ExplorePage["reach"] {
  let nearest: ExplorePage["reach"] = null;
  for (const { searchedFrom, progress } of reaches)
    if (searchedFrom !== null && progress && progress.next > (nearest?.progress.next ?? -1))
      nearest = { searchedFrom, progress };
  return nearest;
}

const NOTHING = {
  reach: null,
  total: { spans: 0, weight: 0 },
  series: { groups: [], hasMore: false, searchedFrom: null },
  heatmap: { rows: [], weights: [], most: 0 },
  comparison: null,
  content: { view: "samples", spans: [], nextCursor: null },
} satisfies Partial<ExplorePage>;

function toSort({ sort, show, by }: ExploreOptions): SpanSumQuestion["sort"] {
  if (sort === null) return null;
  const { name, isDescending } = sort;
  const figure = show.find((figure) => figure.name === name);
  const key = by.filter((key) => toSpanKey(key) !== null).indexOf(name);
  return figure === undefined && key < 0 ? null : { of: figure ?? key, isDescending };
}

function toTable(sums: SpanSums): SearchReach & { content: ExploreContent } {
  const { rows: _, hasMore: __, ...reach } = sums;
  return { content: { view: "aggregates", sums }, ...reach };
}

async function readContent(
  workspace: Workspace,
  options: ExploreOptions,
  { filter, grouped }: { filter: SpanSearchFilter; grouped: Omit<SpanSumQuestion, "limit"> },
): Promise<SearchReach & { content: ExploreContent }> {
  const { view, order, cursor } = options;
  switch (view) {
    case "samples": {
      const found = await workspace.events.findSpans(filter, { order, cursor, limit: PAGE_SIZE });
      const { spans, nextCursor, ...reach } = found;
      return { content: { view, spans, nextCursor }, ...reach };
    }
    case "traces": {
      const { traces, nextCursor, ...reach } = await workspace.events.findTraces(filter, {
        cursor,
        limit: PAGE_SIZE,
      });
      return { content: { view, traces: await nameServices(workspace, traces), nextCursor }, ...reach };
    }
    case "aggregates":
      return toTable(await sumSpans(workspace, filter, { ...grouped, limit: MAX_GROUPS }));
    case "attributes":
      return { content: { view, attributes: await listAttributes(workspace, filter) }, searchedFrom: null };
  }
}

/** A program that does not name its service is named after its project. */
async function nameServices({ state, scope }: Workspace, traces: readonly FoundTrace[]): Promise<ListedTrace[]> {
  const projects = await state.projects.listProjects(scope);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  return traces.map(({ projectIds, matchedUs: _, services, ...trace }) => ({
    ...trace,
    services: services.length > 0 ? services : projectIds.flatMap((id) => slugs.get(id) ?? []),
  }));
}

/** Attributes of all spans in the range, whatever the search says. */
async function listAttributes(
  workspace: Workspace,
  { projectIds, from, to }: SpanSearchFilter,
): Promise<AttributeSummary[]> {
  const { events } = workspace;
  const whose = { projectIds, signal: "spans", from, to } as const;
  const keys = await events.listAttributeKeys(whose, LISTED_KEYS);
  const listed = await Promise.all(
    keys.map(async (key) => ({
      ...key,
      values: await events.listAttributeValues({ ...whose, key: key.key }, MAX_SUMMED_VALUES),
    })),
  );
  const numeric = listed
    .filter(({ key, values }) => isComparable(SPAN_VOCABULARY, key) && areManyNumbers(values))
    .map(({ key }) => key);
  const numbers = await readNumbers(workspace, { projectIds, from, to, where: ALWAYS }, numeric);
  return listed.map(({ key, count, values }) => {
    const isCut = values.length === MAX_SUMMED_VALUES;
    // Values also count spans that came after the keys were read. With the older count, shares could exceed 100 %.
    const ofAll = isCut ? count : values.reduce((sum, value) => sum + value.count, 0);
    return { key, count: ofAll, isCut, values: values.slice(0, VALUES_PER_KEY), numbers: numbers.get(key) ?? null };
  });
}

/** The numbers of attributes, of as many as the time allows. */
async function readNumbers(
  { events }: Workspace,
  filter: SpanSearchFilter,
  attributes: readonly string[],
): Promise<Map<string, NumberSummary>> {
  const found = new Map<string, NumberSummary>();
  const until = performance.now() + NUMBERS_BUDGET_MS;
  const asked = attributes.flatMap((key) => {
    const number = toSpanKey(key);
    return number === null ? [] : [{ key, number }];
  });
  for (let at = 0; at < asked.length && performance.now() < until; at += MAX_NUMBERS) {
    const some = asked.slice(at, at + MAX_NUMBERS);
    const numbers = some.map(({ number }) => number);
    const { sums } = await events.sumFoundSpans(filter, { by: [], bucketMs: null, limit: 1, numbers });
    for (const [index, { key }] of some.entries()) {
      const sum = sums[0]?.numbers?.[index];
      if (sum !== undefined) found.set(key, summarizeNumbers(sum));
    }
  }
  return found;
}
