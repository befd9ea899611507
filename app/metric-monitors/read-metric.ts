import type { MetricSettings } from "../domain/metrics/metric-monitor.ts";
import { bindMetricSearch } from "../domain/metrics/metric-search.ts";
import { addSums, type MetricSum, NO_SUM } from "../domain/metrics/metric-sum.ts";
import type { Scope } from "../domain/scope.ts";
import { type Condition, listTests, mapTests } from "../domain/search/condition.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { ReleaseStore } from "../stores/state/release-store.ts";

export interface MetricParts {
  events: Pick<EventStore, "sumEvents" | "sumFoundSpans" | "summarizeLogs" | "countSessions">;
  releases: Pick<ReleaseStore, "findVersions">;
}

export interface MetricSums {
  /** By the begin of the bucket; without buckets by `from`. Buckets in which nothing came are not there. */
  sums: Map<number, MetricSum>;
  /** Later than `from` if there was too much to read: nothing before is known. */
  readFrom: number;
}

/** Versions that one search may mean. */
const MAX_VERSIONS = 5_000;

/** The condition of a monitor, with its versions looked up. */
export async function planMetric(
  { releases }: MetricParts,
  { settings, scope, now }: { settings: MetricSettings; scope: Scope; now: number },
): Promise<Condition> {
  const condition = bindMetricSearch(settings, now);
  const found = new Map<Condition, readonly string[]>();
  for (const each of listTests(condition))
    if (each.test.kind === "version") found.set(each, await releases.findVersions(scope, each.test, MAX_VERSIONS));
  return mapTests(condition, (each) => {
    const values = found.get(each);
    return values === undefined ? each : { ...each, test: { kind: "in", values } };
  });
}

/**
 * What the figure of a monitor is made of, from `from` to `to` (exclusive, whole minutes), by buckets or as a whole. Spans and logs come from sums by minute where the
 * search allows it, everything else from rows.
 */
export async function readMetricSums(
  { events }: MetricParts,
  { settings, scope, where }: { settings: MetricSettings; scope: Scope; where: Condition },
  { from, to, bucketMs, budgetMs }: { from: number; to: number; bucketMs: number | null; budgetMs: number },
): Promise<MetricSums> {
  const { projectIds } = scope;
  const atOf = (at: number | null) => at ?? from;
  switch (settings.dataset) {
    case "errors": {
      const sums = await events.sumEvents(
        { projectIds, from, to, where },
        { by: [], bucketMs, limit: 1, largest: "events" },
      );
      const key = settings.figure === "count_unique(user)" ? "users" : "events";
      // Without buckets there is a row even if nothing came.
      return toSums(
        sums.map((sum) => [atOf(sum.at), { ...NO_SUM, weight: sum[key] }]),
        from,
      );
    }
    case "logs": {
      const summary = await events.summarizeLogs(
        { projectIds, from, to, where },
        { bucketMs: bucketMs ?? to - from, budgetMs },
      );
      return toSums(
        summary.buckets.map(({ at, count }) => [bucketMs === null ? from : at, { ...NO_SUM, weight: count }]),
        summary.countedFrom,
      );
    }
    case "sessions": {
      const counts = await events.countSessions(
        { projectIds, from, to, ...(settings.environment !== null && { environments: [settings.environment] }) },
        { groupBy: [], bucketMs },
      );
      const key = settings.figure === "crash_rate(user)" ? "users" : "sessions";
      return toSums(
        counts.map((count): [number, MetricSum] => [
          atOf(count.at),
          { ...NO_SUM, weight: count[key].total, failedWeight: count[key].crashed },
        ]),
        from,
      );
    }
    default: {
      const found = await events.sumFoundSpans(
        { projectIds, from, to, where },
        { by: [], bucketMs, limit: 1, largest: "weight" },
      );
      return toSums(
        found.sums.map(({ at, weight, failedWeight, totalUs, durations }): [number, MetricSum] => [
          atOf(at),
          { weight, failedWeight, totalUs, durations },
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
