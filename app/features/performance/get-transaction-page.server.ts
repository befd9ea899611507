import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import type { Level } from "../../domain/level.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import { allOf, type Condition } from "../../domain/search/condition.ts";
import { printValue } from "../../domain/search/print-search.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import { type DurationHistogram, EMPTY_BUCKET } from "../../domain/spans/duration-histogram.ts";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { FoundSpan } from "../../stores/events/span-search.ts";
import type { TransactionCell } from "../../stores/events/transaction-sums.ts";
import { findIssueFilter } from "../issues/find-issue-filter.server.ts";
import { type PerformanceTime, type TransactionAddress, toPerformanceTime } from "./performance-filters.ts";
import { findNewestTimes, findSlowTimes, findTypicalTimes, sumCells, type Times } from "./transaction-cells.ts";
import { type Change, type TransactionFigures, toChange, toFigures } from "./transaction-figures.ts";

const EXAMPLES = 5;
const ISSUES = 5;
/** The pause before the other parts are read. Otherwise they would take the processors that make the page with the figures. */
const FIGURES_FIRST_MS = 25;

export type TransactionExample = Pick<
  FoundSpan,
  "traceId" | "spanId" | "startedUs" | "durationUs" | "status" | "release" | "userId" | "name"
>;

export interface TransactionIssue {
  id: number;
  shortId: string;
  title: string;
  level: Level;
  eventCount: number;
}

export interface TransactionExamples {
  slow: TransactionExample[];
  typical: TransactionExample[];
}

export interface TransactionPage {
  time: PerformanceTime;
  project: { slug: string; name: string };
  figures: TransactionFigures | null;
  change: Change;
  /** `figures` null: there are none in this bucket. */
  buckets: Array<{ at: number; figures: TransactionFigures | null; failedWeight: number }>;
  durations: DurationHistogram;
  /** `perTransactionUs`: the time divided by the number of transactions. */
  ops: Array<{ op: string; spans: number; weight: number; isUnsure: boolean; perTransactionUs: number }>;
  /** Reading rows for these takes longer than reading sums. */
  examples: Promise<TransactionExamples>;
  deploys: Array<{ at: number; environment: string; version: string }>;
  /** Also read from rows, of events. */
  issues: Promise<TransactionIssue[]>;
  environments: string[];
}

/** Null: the project does not exist. `now`: milliseconds since 1970. */
export async function getTransactionPage(
  workspace: Workspace,
  { address, now }: { address: TransactionAddress; now: number },
): Promise<TransactionPage | null> {
  const { state, events } = workspace;
  const project = (await state.projects.listProjects(workspace.scope)).find(({ slug }) => slug === address.project);
  if (!project) return null;
  const scope = narrowScope(workspace.scope, [project.id]);
  const time = toPerformanceTime(address.range, now);
  const { from, to, before, bucketMs } = time;
  const { name, op, environments } = address;
  const place = { projectIds: scope.projectIds, environments, transaction: { name, op } };
  const ms = to - from;
  const of = { ms, apdexMs: project.apdexMs };
  const [cells, ops, deploys, known] = await Promise.all([
    events.listTransactionCells({ ...place, from: before, to }, { unitMs: bucketMs, unitsFrom: from }),
    events.sumTransactionOps({ ...place, from, to }),
    state.releases.listDeploysBetween(scope, from, to),
    events.listEnvironments(scope.projectIds),
  ]);
  const current = cells.filter(({ at }) => at >= from);
  const total = sumCells(current);
  const figures = toFigures(total, { ...of, ms: time.passedMs });
  const durations = total?.durations ?? [];
  const byBucket = Map.groupBy(current, ({ at }) => Math.floor((at - from) / bucketMs));
  return {
    time,
    project: { slug: project.slug, name: project.name },
    figures,
    change: toChange(figures, toFigures(sumCells(cells.filter(({ at }) => at < from)), of)),
    buckets: Array.from({ length: Math.ceil(ms / bucketMs) }, (_, index) => {
      const sum = sumCells(byBucket.get(index) ?? []);
      const at = from + index * bucketMs;
      return { at, figures: toFigures(sum, { ...of, ms: bucketMs }), failedWeight: sum?.failedWeight ?? 0 };
    }),
    durations,
    ops: ops.map((sum) => ({
      op: sum.op,
      spans: sum.spans,
      weight: sum.weight,
      isUnsure: isUnsure(sum),
      perTransactionUs: figures ? sum.totalUs / figures.weight : 0,
    })),
    examples: sleep(FIGURES_FIRST_MS).then(() => listExamples(workspace, { scope, address, time, cells: current })),
    deploys: deploys
      .filter(({ environment }) => environments.length === 0 || environments.includes(environment))
      .map(({ finishedAt, environment, version }) => ({ at: finishedAt, environment, version })),
    issues: sleep(FIGURES_FIRST_MS).then(() => listIssues(workspace, { scope, address, time, now })),
    environments: known,
  };
}

const IS_SEGMENT: Condition = {
  kind: "test",
  field: "isSegment",
  isTag: false,
  isNegated: false,
  test: { kind: "compare", sign: "=", value: 1 },
};

/** The slowest transactions, and the newest of those whose duration is near the median. */
async function listExamples(
  { events }: Workspace,
  {
    scope,
    address,
    time: { from, to, bucketMs },
    cells,
  }: {
    scope: Scope;
    address: TransactionAddress;
    time: PerformanceTime;
    /** The sums in buckets of the graphs. */
    cells: readonly TransactionCell[];
  },
): Promise<TransactionExamples> {
  const { name, op, environments } = address;
  // Transactions whose names were added up have no names any more.
  if (name === null || cells.length === 0) return { slow: [], typical: [] };
  const among = (field: string, values: readonly string[]): Condition => ({
    kind: "test",
    field,
    isTag: false,
    isNegated: false,
    test: { kind: "in", values },
  });
  const ofDuration = (sign: "<=" | ">=", us: number): Condition => ({
    kind: "test",
    field: "durationMs",
    isTag: false,
    isNegated: false,
    test: { kind: "compare", sign, value: us / 1000 },
  });
  const where = allOf([
    IS_SEGMENT,
    among("transactionName", [name]),
    ...(op === "" ? [] : [among("op", [op])]),
    ...(environments.length > 0 ? [among("environment", environments)] : []),
  ]);
  const find = async (conditions: readonly Condition[], order: "newest" | "slowest", within: readonly Times[]) => {
    const found = await events.findSpans(
      { projectIds: scope.projectIds, from, to, within, where: allOf([where, ...conditions]) },
      { order, cursor: null, limit: EXAMPLES },
    );
    return found.spans.map(({ traceId, spanId, startedUs, durationUs, status, release, userId, name: own }) => ({
      traceId,
      spanId,
      startedUs,
      durationUs,
      status,
      release,
      userId,
      name: own,
    }));
  };
  const place = { projectIds: scope.projectIds, environments, transaction: { name, op } };
  const unitMs = Math.min(bucketMs, HOUR_MS);
  /** The sums of the hours in these times, so that fewer rows are read. */
  const toHours = async (within: readonly Times[], fromBucket: number): Promise<readonly TransactionCell[]> => {
    if (unitMs === bucketMs) return cells;
    const [first, last] = [within[0]?.from ?? from, within.at(-1)?.to ?? to];
    return await events.listTransactionCells(
      { ...place, from: first, to: Math.min(last, to) },
      { unitMs, unitsFrom: first, fromBucket },
    );
  };
  const findSlow = async () => {
    const { within, fromBucket } = findSlowTimes(cells, { unitMs: bucketMs, limit: EXAMPLES });
    const slowest = findSlowTimes(await toHours(within, fromBucket), { unitMs, limit: EXAMPLES });
    return await find([ofDuration(">=", slowest.atLeastUs)], "slowest", slowest.within);
  };
  const findTypical = async () => {
    const middle = findTypicalTimes(cells, { unitMs: bucketMs, limit: EXAMPLES });
    const { atLeastUs, atMostUs } = middle;
    const hours = await toHours(middle.within, EMPTY_BUCKET);
    const within = findNewestTimes(hours, { atLeastUs, atMostUs, unitMs, limit: EXAMPLES });
    return await find([ofDuration(">=", atLeastUs), ofDuration("<=", atMostUs)], "newest", within);
  };
  const [slow, typical] = await Promise.all([findSlow(), findTypical()]);
  return { slow, typical };
}

/** The issues with most events in this transaction. */
async function listIssues(
  workspace: Workspace,
  {
    scope,
    address: { name, environments },
    time,
    now,
  }: { scope: Scope; address: TransactionAddress; time: PerformanceTime; now: number },
): Promise<TransactionIssue[]> {
  if (name === null) return [];
  const place = { from: time.from, to: null, ...(environments.length > 0 ? { environments } : {}) };
  const search = `is:unresolved ${toTransactionSearch(name)}`;
  const found = await findIssueFilter(workspace, { search, scope, place, now });
  if (found.errors.length > 0) return [];
  const page = await workspace.state.issues.listIssues(found.scope, {
    ...found.query,
    sort: "events",
    cursor: null,
    limit: ISSUES,
  });
  return page.issues.map(({ id, shortId, title, level, matchingEventCount }) => ({
    id,
    shortId,
    title,
    level,
    eventCount: matchingEventCount,
  }));
}

/** A search for the transaction's events. Events have names as they were sent, so the parts that the name has lost may be anything. */
function toTransactionSearch(name: string): string {
  const parts = name.split("?").flatMap((part, index) => (index === 0 ? [part] : [ANY_TEXT, part]));
  return `transaction:${printValue({ parts: parts.filter((part) => part !== ""), isQuoted: true })}`;
}
