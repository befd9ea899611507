import { countWithUnstored } from "../domain/alerts/count-unstored.ts";
import type { MetricSettings } from "../domain/metrics/metric-monitor.ts";
import { bindMetricSearch, countsEveryError, isOfLatest } from "../domain/metrics/metric-search.ts";
import { addSums, type MetricSum, toWholeSum } from "../domain/metrics/metric-sum.ts";
import type { Scope } from "../domain/scope.ts";
import { type Condition, listTests, mapTests } from "../domain/search/condition.ts";
import type { EventFilter } from "../stores/events/error-events.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { ReleaseStore } from "../stores/state/release-store.ts";
import type { VolumeStore } from "../stores/state/volume-store.ts";

export interface MetricParts {
  events: Pick<EventStore, "sumEvents" | "sumFoundSpans" | "summarizeLogs" | "countSessions">;
  releases: Pick<ReleaseStore, "findVersions" | "getLatestRelease">;
  volumes: Pick<VolumeStore, "listLeftOut">;
}

export interface MetricSums {
  /** By the begin of the bucket; without buckets by `from`. Buckets in which nothing came are not there. */
  sums: Map<number, MetricSum>;
  /** Later than `from` if there was too much to read: nothing before is known. */
  readFrom: number;
}

/** Issues whose share is looked at: the most that `sumEvents` gives. */
const MAX_SHARED_ISSUES = 100;
/** Of one project within a day: more than there are in a flood that makes issues. */
const MAX_LEFT_OUT_ISSUES = 100_000;
/** Versions that one search may mean. */
const MAX_VERSIONS = 5_000;

/** The condition of a monitor, with its versions looked up: the latest is that of now. */
export async function planMetric(
  { releases }: MetricParts,
  { settings, scope, now }: { settings: MetricSettings; scope: Scope; now: number },
): Promise<Condition> {
  const condition = bindMetricSearch(settings, now);
  const found = new Map<Condition, readonly string[]>();
  for (const each of listTests(condition))
    if (isOfLatest(each)) found.set(each, await listLatest(releases, scope));
    else if (each.test.kind === "version") found.set(each, await releases.findVersions(scope, each.test, MAX_VERSIONS));
  return mapTests(condition, (each) => {
    const values = found.get(each);
    return values === undefined ? each : { ...each, test: { kind: "in", values } };
  });
}

/** Of a project without a release there is none. */
async function listLatest(releases: MetricParts["releases"], scope: Scope): Promise<string[]> {
  const latest = await Promise.all(scope.projectIds.map((id) => releases.getLatestRelease(scope, id)));
  return latest.flatMap((release) => release?.version ?? []);
}

/**
 * Errors that were counted and not stored (spike protection, a sample of loud issues) and belong to what a monitor counts from `from` to `to`.
 * Exact where it counts all errors; else each issue's share of the stored ones is taken, as alert rules do. Users of them are not known.
 */
async function countUnstoredErrors(
  { events, volumes }: Pick<MetricParts, "events" | "volumes">,
  { scope, where, isOfAll }: { scope: Scope; where: Condition; isOfAll: boolean },
  { from, to }: { from: number; to: number },
): Promise<number> {
  const limit = isOfAll ? MAX_LEFT_OUT_ISSUES : MAX_SHARED_ISSUES;
  const unstored = await volumes.listLeftOut(scope, { since: from, until: to, limit });
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
  if (isOfAll || unstored.size === 0) return sum(unstored.values());
  const filter = { projectIds: scope.projectIds, from, to, issueIds: [...unstored.keys()] };
  const sumByIssue = async (narrowed: EventFilter) => {
    const by = [{ name: "issueId", isTag: false }];
    const limit = MAX_SHARED_ISSUES;
    const sums = await events.sumEvents(narrowed, { by, bucketMs: null, limit, largest: "events", onlyLargest: true });
    return new Map(sums.map(({ group, events: count }) => [Number(group[0]), count]));
  };
  const [fitting, all] = [await sumByIssue({ ...filter, where }), await sumByIssue(filter)];
  const stored = [...fitting].map(([issueId, count]) => ({ issueId, fitting: count, all: all.get(issueId) ?? count }));
  return sum(countWithUnstored(stored, unstored, false).values()) - sum(fitting.values());
}

/**
 * What the figure of a monitor is made of, from `from` to `to` (exclusive, whole minutes), by buckets or as a whole. Spans and logs come from sums by minute where the
 * search allows it, everything else from rows.
 */
export async function readMetricSums(
  parts: MetricParts,
  { settings, scope, where }: { settings: MetricSettings; scope: Scope; where: Condition },
  { from, to, bucketMs, budgetMs }: { from: number; to: number; bucketMs: number | null; budgetMs: number },
): Promise<MetricSums> {
  const { events } = parts;
  const { projectIds } = scope;
  const atOf = (at: number | null) => at ?? from;
  switch (settings.dataset) {
    case "errors": {
      const key = settings.figure === "count_unique(user)" ? "users" : "events";
      const sums = await events.sumEvents(
        { projectIds, from, to, where },
        { by: [], bucketMs, limit: 1, largest: key, onlyLargest: true },
      );
      // By buckets, as previews read, nobody would wait for the shares: what is shown there says how many are left out.
      const isOfAll = countsEveryError(settings);
      const unstored =
        bucketMs === null && key === "events"
          ? await countUnstoredErrors(parts, { scope, where, isOfAll }, { from, to })
          : 0;
      // Without buckets there is a row even if nothing came.
      return toSums(
        sums.map((sum) => [atOf(sum.at), toWholeSum(sum[key] + unstored)]),
        from,
      );
    }
    case "logs": {
      const summary = await events.summarizeLogs(
        { projectIds, from, to, where },
        { bucketMs: bucketMs ?? to - from, budgetMs },
      );
      return toSums(
        summary.buckets.map(({ at, count }) => [bucketMs === null ? from : at, toWholeSum(count)]),
        summary.countedFrom,
      );
    }
    case "sessions": {
      const counts = await events.countSessions({ projectIds, from, to, where }, { groupBy: [], bucketMs });
      const key = settings.figure === "crash_rate(user)" ? "users" : "sessions";
      return toSums(
        counts.map((count): [number, MetricSum] => [atOf(count.at), toWholeSum(count[key].total, count[key].crashed)]),
        from,
      );
    }
    default: {
      const found = await events.sumFoundSpans({ projectIds, from, to, where }, { by: [], bucketMs, limit: 1 });
      return toSums(
        found.sums.map(({ at, spans, weight, failedWeight, totalUs, durations }): [number, MetricSum] => [
          atOf(at),
          { spans, weight, failedWeight, totalUs, durations },
        ]),
        found.searchedFrom ?? from,
      );
    }
  }
}

function toSums(rows: ReadonlyArray<readonly [at: number, sum: MetricSum]>, readFrom: number): MetricSums {
  const sums = new Map<number, MetricSum>();
  for (const [at, sum] of rows) {
    const known = sums.get(at);
    sums.set(at, known === undefined ? sum : addSums([known, sum]));
  }
  return { sums, readFrom };
}
