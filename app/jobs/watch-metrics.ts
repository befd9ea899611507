import { scopeOfServer } from "../access/server-scope.ts";
import type { MetricReading } from "../domain/metrics/evaluate-metric.ts";
import { type MetricMonitor, stepMinutesOf } from "../domain/metrics/metric-monitor.ts";
import { findOnlyRelease } from "../domain/metrics/metric-search.ts";
import { NO_SUM, toFigureOfWindow } from "../domain/metrics/metric-sum.ts";
import { shareKnown } from "../domain/metrics/share-known.ts";
import type { Downtime } from "../domain/monitors/watch-runs.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../domain/time.ts";
import type { JournalStats } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import { type MetricParts, planMetric, readMetricSums } from "../metric-monitors/read-metric.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 5_000;
/** SDKs keep spans, logs and sessions for some seconds before they send them. */
const SETTLE_MS = 15 * SECOND_MS;
/** The most time for one monitor. One that takes longer has failed, and those after it still run. */
const LIMIT_MS = 5_000;
const AT_ONCE = 25;
const WEEK_MS = 7 * DAY_MS;
/** The largest share of the time that one monitor may take. A monitor that takes a second is evaluated at most every twenty seconds. */
const MAX_SHARE = 0.05;

interface WatchMetricsParts {
  state: Pick<State, "metricWork" | "releases"> & Pick<MetricParts, "volumes">;
  events: MetricParts["events"];
  journal: { stats(): Pick<JournalStats, "oldestWaitsSince"> };
  now: () => number;
  monotonic: () => number;
  log: Pick<Log, "error">;
}

/**
 * Evaluates metric monitors, minute by minute. It evaluates only up to the time for which the digest has applied everything that came. So a
 * digest that is behind delays results but never makes them wrong. Monitors that have waited longest come first. Missed minutes are not
 * made up for: only the newest window counts.
 */
export function createWatchMetricsJob({ state, events, journal, now, monotonic, log }: WatchMetricsParts): Job {
  const parts: MetricParts = { events, releases: state.releases, volumes: state.volumes };

  return {
    name: "watch-metrics",
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async run(signal) {
      const oldest = journal.stats().oldestWaitsSince ?? Number.POSITIVE_INFINITY;
      const asOf = Math.min(now() - SETTLE_MS, oldest - 1);
      let downtimes: Downtime[] | null = null;
      for (let isIdle = true; ; isIdle = false) {
        const due = await state.metricWork.listDueMetricMonitors(asOf, AT_ONCE);
        if (due.length === 0) return isIdle ? "idle" : "worked";
        downtimes ??= await state.metricWork.listDowntimes(asOf - 8 * DAY_MS);
        for (const monitor of due) {
          if (signal.aborted) return "worked";
          await look(monitor, { asOf, downtimes });
        }
      }
    },
  };

  async function look(
    monitor: MetricMonitor,
    { asOf, downtimes }: { asOf: number; downtimes: readonly Downtime[] },
  ): Promise<void> {
    const stepMs = stepMinutesOf(monitor.settings) * MINUTE_MS;
    const newest = Math.floor(asOf / stepMs) * stepMs;
    // A new monitor may be due between two steps.
    const at = monitor.nextAt <= asOf ? Math.max(monitor.nextAt, newest) : newest;
    const startedAt = monotonic();
    const reading = await read(monitor, at, downtimes);
    const tookMs = monotonic() - startedAt;
    const pauseMs = Math.max(1, Math.ceil(tookMs / MAX_SHARE / stepMs)) * stepMs;
    const nextAt = Math.floor(at / stepMs) * stepMs + pauseMs;
    await state.metricWork.saveMetricLooks([{ monitor, reading, nextAt }]);
  }

  async function read(monitor: MetricMonitor, at: number, downtimes: readonly Downtime[]): Promise<MetricReading> {
    const { settings, projectId } = monitor;
    const windowMs = settings.windowMinutes * MINUTE_MS;
    const scope = scopeOfServer([projectId]);
    const readWindow = async (to: number) => {
      const where = await planMetric(parts, { settings, scope, now: at });
      const from = to - windowMs;
      const options = { from, to, bucketMs: null, budgetMs: LIMIT_MS };
      const { sums, readFrom } = await readMetricSums(parts, { settings, scope, where }, options);
      if (readFrom > from) throw new TooMuchError();
      return { ...toFigureOfWindow(settings.figure, to, sums.get(from) ?? NO_SUM), release: findOnlyRelease(where) };
    };
    const known = [at, ...(settings.comparison === "week" ? [at - WEEK_MS] : [])].map((to) =>
      shareKnown({ from: to - windowMs, to }, downtimes),
    );
    const knownShare = Math.min(...known);
    const failed = (problem: string): MetricReading => ({
      at,
      value: null,
      baseline: null,
      count: 0,
      release: null,
      knownShare,
      problem,
      doubt: null,
    });
    try {
      const limited = await within(
        LIMIT_MS,
        (async () => ({
          now: await readWindow(at),
          before: settings.comparison === "week" ? await readWindow(at - WEEK_MS) : null,
        }))(),
      );
      if (limited === null) return failed(`It took longer than ${LIMIT_MS / 1000} seconds to read the window.`);
      const { now: newest, before } = limited;
      const doubt = newest.doubt ?? before?.doubt ?? null;
      return { ...newest, baseline: before?.value ?? null, knownShare, problem: null, doubt };
    } catch (error) {
      if (error instanceof TooMuchError)
        return failed(
          "There is too much in the window to read all of it: a shorter one, or a narrower search, may do.",
        );
      log.error({ err: error, monitor: monitor.id }, "a metric monitor could not be evaluated");
      return failed("The figure could not be read. The server's log says why.");
    }
  }
}

class TooMuchError extends Error {}

/** Null: the work took longer. It continues, and its result is ignored. */
async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
