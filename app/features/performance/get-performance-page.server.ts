import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { quantileOf } from "../../domain/spans/duration-histogram.ts";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import {
  boundVital,
  rateVital,
  scaleOf,
  type VitalRating,
  WEB_VITAL_NAMES,
  type WebVital,
} from "../../domain/spans/web-vitals.ts";
import { MAX_TRANSACTIONS, type TransactionSum, type VitalSum } from "../../stores/events/transaction-sums.ts";
import { leaveOwnOut } from "../projects/leave-own-out.server.ts";
import { findPerformanceScope } from "./find-performance-scope.server.ts";
import { type PerformanceFilters, type TransactionSort, toPerformanceTime } from "./performance-filters.ts";
import { type Change, type TransactionFigures, toChange, toFigures } from "./transaction-figures.ts";

/** The most rows of the page. */
const MAX_ROWS = 100;

export interface TransactionRow extends TransactionFigures {
  project: { slug: string; name: string };
  /** The name of the transaction. Null: all transactions whose names exceed the number that the project may have. */
  name: string | null;
  op: string;
  change: Change;
}

export interface VitalFigures {
  spans: number;
  weight: number;
  /** Milliseconds. CLS has no unit. */
  p75: number;
  rating: VitalRating;
  /** Shares that add up to 1. */
  good: number;
  poor: number;
  isUnsure: boolean;
}

export interface VitalRow {
  project: { slug: string; name: string };
  name: string | null;
  vitals: Partial<Record<WebVital, VitalFigures>>;
}

export type PerformanceContent =
  | {
      view: "transactions";
      rows: TransactionRow[];
      hasMore: boolean;
      /** The number of transactions with most time that were sorted. Null: all were. */
      sorted: number | null;
    }
  | { view: "vitals"; rows: VitalRow[]; hasMore: boolean };

export interface PerformancePage {
  content: PerformanceContent;
  projects: Array<{ slug: string; name: string }>;
  environments: string[];
  problems: string[];
  /** The slug of the project to which the server reports itself, if its transactions are left out. Null: they are not. */
  leftOut: string | null;
  /** Whether there is any transaction, without the filters of text and environment. */
  hasAny: boolean;
}

/** The transactions or web vitals for these filters. `now`: milliseconds since 1970. */
export async function getPerformancePage(
  workspace: Workspace,
  { filters, now }: { filters: PerformanceFilters; now: number },
): Promise<PerformancePage> {
  const { scope, projects, problems } = await findPerformanceScope(workspace, filters.projectSlugs);
  const time = toPerformanceTime(filters.range, now);
  const { environments, text, view, sort } = filters;
  const { passedMs, ...range } = time;
  const others = filters.projectSlugs.length === 0 && text === "" ? leaveOwnOut(workspace, projects) : null;
  const { projectIds } = others === null ? scope : narrowScope(scope, others.projectIds);
  const filter = { projectIds, ...range, environments, text };
  const places = new Map(projects.map(({ id, slug, name, apdexMs }) => [id, { slug, name, apdexMs }]));
  const [content, known] = await Promise.all([
    view === "vitals"
      ? listVitals(workspace, filter, places)
      : listTransactions(workspace, filter, { places, sort, passedMs }),
    workspace.events.listEnvironments(projectIds),
  ]);
  const isNarrowed = environments.length > 0 || text !== "";
  const all = { projectIds, from: time.from, to: time.to, environments: [] };
  const hasAny =
    content.rows.length > 0 ||
    (isNarrowed &&
      (view === "vitals"
        ? (await workspace.events.sumVitals(all, { limit: 1 })).sums.length > 0
        : (await workspace.events.sumTransactions(all, { bucketMs: null, limit: 1 })).sums.length > 0));
  return {
    content,
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    environments: known,
    problems,
    leftOut: others?.leftOut ?? null,
    hasAny,
  };
}

type Places = ReadonlyMap<number, { slug: string; name: string; apdexMs: number }>;
type Filter = Parameters<Workspace["events"]["sumVitals"]>[0] & { before: number };

async function listTransactions(
  { events }: Workspace,
  { before, ...filter }: Filter,
  { places, sort, passedMs }: { places: Places; sort: TransactionSort; passedMs: number },
): Promise<PerformanceContent> {
  const ms = filter.to - filter.from;
  // The store knows those with most time. Other orders are computed here.
  const limit = sort === "time" ? MAX_ROWS : MAX_TRANSACTIONS;
  const { sums, hasMore } = await events.sumTransactions(
    { ...filter, from: before },
    { bucketMs: ms, limit, rankFrom: filter.from },
  );
  const groups = new Map<string, TransactionSum[]>();
  for (const sum of sums) {
    const key = JSON.stringify([sum.projectId, sum.name, sum.op]);
    groups.set(key, [...(groups.get(key) ?? []), sum]);
  }
  const rows = [...groups.values()].flatMap((group): TransactionRow[] => {
    const [{ projectId, name, op }] = group as [TransactionSum, ...TransactionSum[]];
    const place = places.get(projectId);
    if (!place) return [];
    const { apdexMs, ...project } = place;
    const figuresAt = (start: number, ms: number) =>
      toFigures(
        group.find(({ at }) => at === start),
        { ms, apdexMs },
      );
    const figures = figuresAt(filter.from, passedMs);
    if (!figures) return [];
    const earlier = figuresAt(before, ms);
    return [{ ...figures, project, name, op, change: toChange(figures, earlier) }];
  });
  return {
    view: "transactions",
    rows: rows.sort(COMPARE[sort]).slice(0, MAX_ROWS),
    hasMore: hasMore || rows.length > MAX_ROWS,
    sorted: hasMore ? rows.length : null,
  };
}

/** The worst come first, if the order has a worst. */
const COMPARE: Readonly<Record<TransactionSort, (one: TransactionRow, other: TransactionRow) => number>> = {
  time: (one, other) => other.totalUs - one.totalUs,
  throughput: (one, other) => other.weight - one.weight,
  p50: (one, other) => other.p50Us - one.p50Us,
  p95: (one, other) => other.p95Us - one.p95Us,
  failures: (one, other) => other.failureRate - one.failureRate,
  apdex: (one, other) => one.apdex - other.apdex,
  change: (one, other) => ratioOf(other.change) - ratioOf(one.change),
};

/** A transaction whose change is unknown comes last. */
function ratioOf(change: Change): number {
  if ("ratio" in change) return change.ratio;
  return change.kind === "same" ? 0 : -2;
}

async function listVitals(
  { events }: Workspace,
  { before: _, ...filter }: Filter,
  places: Places,
): Promise<PerformanceContent> {
  const { sums, hasMore } = await events.sumVitals(filter, { limit: MAX_ROWS });
  const rows = new Map<string, VitalRow>();
  for (const sum of sums) {
    const project = places.get(sum.projectId);
    if (!project) continue;
    const key = JSON.stringify([sum.projectId, sum.name]);
    const row = rows.get(key) ?? { project, name: sum.name, vitals: {} };
    rows.set(key, row);
    row.vitals[sum.vital] = toVitalFigures(sum);
  }
  // Pages without a vital that SDKs measure on a page load or a press have nothing to show.
  const shown = [...rows.values()].filter(({ vitals }) => WEB_VITAL_NAMES.some((vital) => vitals[vital]));
  return { view: "vitals", rows: shown, hasMore };
}

function toVitalFigures(sum: VitalSum): VitalFigures {
  const [good, poor] = [sum.goodWeight / sum.weight, sum.poorWeight / sum.weight];
  const rating = rateVital({ good, poor });
  return {
    spans: sum.spans,
    weight: sum.weight,
    p75: boundVital(sum.vital, rating, (quantileOf(sum.values, 0.75) ?? 0) / scaleOf(sum.vital)),
    rating,
    good,
    poor,
    isUnsure: isUnsure(sum),
  };
}
