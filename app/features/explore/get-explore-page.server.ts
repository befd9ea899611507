import type { Workspace } from "../../access/workspace.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import type { FoundSpan } from "../../stores/events/span-search.ts";
import { BUCKET_MS, type ExploreOptions } from "./explore-options.ts";
import { planSpanSearch, toSpanKey } from "./plan-span-search.server.ts";
import { type SpanSeries, type SpanSums, sumSpans, sumSpansOverTime } from "./sum-spans.server.ts";

const PAGE_SIZE = 50;
const TABLE_GROUPS = 50;
const CHART_GROUPS = 3;
const OFFERED_KEYS = 60;
const LISTED_KEYS = 40;
const VALUES_PER_KEY = 5;

export type SampledSpan = FoundSpan;

export interface AttributeSummary {
  key: string;
  count: number;
  values: Array<{ value: string; count: number }>;
}

export type ExploreContent =
  | { view: "samples"; spans: SampledSpan[]; nextCursor: string | null }
  | { view: "aggregates"; sums: SpanSums }
  | { view: "attributes"; attributes: AttributeSummary[] };

export interface ExplorePage {
  from: number;
  to: number;
  problems: SearchError[];
  /** Sentences about what may be missing. */
  notes: string[];
  /** Instant before which nothing was searched; null: the whole range was. */
  searchedFrom: number | null;
  /** Of all spans that fit: how many are stored, and how many they stand for. */
  total: { spans: number; weight: number };
  series: SpanSeries;
  content: ExploreContent;
  /** Attributes that spans of the range have, the most frequent first. */
  keys: string[];
  environments: string[];
  isUnknownProject: boolean;
  /** Whether any span came in the range, whatever the search says. */
  hasAny: boolean;
}

export async function getExplorePage(
  workspace: Workspace,
  { options, now }: { options: ExploreOptions; now: number },
): Promise<ExplorePage> {
  const { value, durationMs } = options.period;
  const bucketMs = BUCKET_MS[value];
  const to = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  const from = to - Math.ceil(durationMs / bucketMs) * bucketMs;
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const project = projects.find(({ slug }) => slug === options.project);
  const isUnknownProject = options.project !== null && project === undefined;
  const plan = await planSpanSearch(workspace, {
    search: options.search,
    projectIds: isUnknownProject ? [-1] : project ? [project.id] : [],
    environments: options.environment === null ? [] : [options.environment],
    from,
    to,
    now,
  });
  const { filter, problems, notes } = plan;
  const by = options.by.flatMap((key) => toSpanKey(key) ?? []);
  const whole = { projectIds: filter.projectIds, from, to };
  const shared = {
    from,
    to,
    problems,
    notes,
    isUnknownProject,
    keys: (await workspace.events.listAttributeKeys({ ...whole, signal: "spans" }, OFFERED_KEYS)).map(({ key }) => key),
    environments: await workspace.events.listEnvironments(filter.projectIds),
  };
  if (problems.length > 0) return { ...shared, ...NOTHING, hasAny: true };
  const aggregates = options.show;
  const [totals, series, { content, searchedFrom }] = await Promise.all([
    sumSpans(workspace, filter, { by: [], aggregates: [], limit: 1 }),
    sumSpansOverTime(workspace, filter, { by, aggregates, limit: CHART_GROUPS, bucketMs }),
    readContent(workspace, options, filter),
  ]);
  const total = totals.rows[0] ?? { spans: 0, weight: 0 };
  const isEmpty = total.spans === 0;
  return {
    ...shared,
    searchedFrom: searchedFrom ?? totals.searchedFrom ?? series.searchedFrom,
    total: { spans: total.spans, weight: total.weight },
    series,
    content,
    hasAny: !isEmpty || (await workspace.events.sumSpans(whole, { groupBy: [], bucketMs: null })).length > 0,
  };
}

const NOTHING = {
  searchedFrom: null,
  total: { spans: 0, weight: 0 },
  series: { groups: [], hasMore: false, searchedFrom: null },
  content: { view: "samples", spans: [], nextCursor: null },
} satisfies Partial<ExplorePage>;

async function readContent(
  workspace: Workspace,
  { view, order, cursor, by, show }: ExploreOptions,
  filter: Parameters<typeof sumSpans>[1],
): Promise<{ content: ExploreContent; searchedFrom: number | null }> {
  switch (view) {
    case "samples": {
      const found = await workspace.events.findSpans(filter, { order, cursor, limit: PAGE_SIZE });
      const { spans, nextCursor, searchedFrom } = found;
      return { content: { view, spans, nextCursor }, searchedFrom };
    }
    case "aggregates": {
      const keys = by.flatMap((key) => toSpanKey(key) ?? []);
      const sums = await sumSpans(workspace, filter, { by: keys, aggregates: show, limit: TABLE_GROUPS });
      return { content: { view, sums }, searchedFrom: sums.searchedFrom };
    }
    case "attributes":
      return { content: { view, attributes: await listAttributes(workspace, filter) }, searchedFrom: null };
  }
}

/** Of all spans of the range: these sums know nothing of a search. */
async function listAttributes(
  { events }: Workspace,
  { projectIds, from, to }: Parameters<typeof sumSpans>[1],
): Promise<AttributeSummary[]> {
  const whose = { projectIds, signal: "spans", from, to } as const;
  const keys = await events.listAttributeKeys(whose, LISTED_KEYS);
  return Promise.all(
    keys.map(async ({ key, count }) => ({
      key,
      count,
      values: await events.listAttributeValues({ ...whose, key }, VALUES_PER_KEY),
    })),
  );
}
