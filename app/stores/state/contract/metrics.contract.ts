import { expect, test } from "vitest";
import type { MetricReading } from "../../../domain/metrics/evaluate-metric.ts";
import type { MetricSettings } from "../../../domain/metrics/metric-monitor.ts";
import { METRIC_LIMITS } from "../../../domain/metrics/metric-monitor.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const SETTINGS: MetricSettings = {
  name: "Errors",
  dataset: "errors",
  figure: "count()",
  query: "level:error",
  environment: null,
  windowMinutes: 5,
  comparison: "none",
  direction: "above",
  critical: 10,
  warning: null,
  recovery: null,
};
const MINUTE = 60_000;
const NOTHING = scopeOf();

async function createMonitor({ metrics }: State, settings = SETTINGS) {
  const monitor = await metrics.createMetricMonitor(EVERYTHING, 1, settings, NOON);
  if (monitor === null) throw new Error("there was no room for a monitor");
  return monitor;
}

const reading = (minute: number, value: number | null, change: Partial<MetricReading> = {}): MetricReading => ({
  at: NOON + minute * MINUTE,
  value,
  baseline: null,
  count: 1_000,
  release: null,
  knownShare: 1,
  problem: null,
  doubt: null,
  ...change,
});

async function listSubjects({ findings }: State): Promise<string[]> {
  return (await findings.listFindings(10)).map(({ finding }) => `${finding.kind} ${finding.subject}`);
}

/** A look a minute, each with the next value. */
async function look(store: State, monitorId: number, values: readonly number[], from = 0): Promise<void> {
  for (const [index, value] of values.entries()) {
    const minute = from + index;
    const monitor = await store.metrics.getMetricMonitor(EVERYTHING, monitorId);
    if (monitor === null) throw new Error("the monitor is gone");
    const nextAt = NOON + (minute + 1) * MINUTE;
    await store.metricWork.saveMetricLooks([{ monitor, reading: reading(minute, value), nextAt }]);
  }
}

export function describeMetrics(createDatabase: CreateStateDatabase): void {
  test("a monitor is due at its next window, those that wait longest first", async () => {
    await using store = await openStore(createDatabase);
    const one = await createMonitor(store);
    const other = await createMonitor(store, { ...SETTINGS, name: "Other" });
    const due = async (minute: number) =>
      (await store.metricWork.listDueMetricMonitors(NOON + minute * MINUTE, 10)).map(({ id }) => id);
    expect(await due(-1)).toEqual([]);
    expect(await due(0)).toEqual([one.id, other.id]);
    await store.metricWork.saveMetricLooks([{ monitor: one, reading: reading(0, 1), nextAt: NOON + 3 * MINUTE }]);
    expect(await due(2)).toEqual([other.id]);
    expect(await due(3)).toEqual([other.id, one.id]);
    // The clock was set back by a day.
    expect(await due(-1_440)).toEqual([other.id, one.id]);
  });

  test("a value beyond the line opens a time in trouble, a good one ends it; each is told once", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await createMonitor(store);
    await look(store, id, [1, 11, 30, 12]);
    expect(await listSubjects(store)).toEqual([`trouble metric ${id}`]);
    expect(await store.metrics.listMetricPeriods(EVERYTHING, id, 10)).toEqual([
      { startedAt: NOON + MINUTE, endedAt: null, level: "critical", peak: 30 },
    ]);
    await look(store, id, [3], 4);
    const [trouble] = await store.findings.listFindings(10);
    expect(trouble?.finding).toMatchObject({ contexts: { metric: { points: [1, 11] } } });
    await store.findings.dropFinding(trouble?.position ?? 0);
    expect(await listSubjects(store)).toEqual([`recovery metric ${id}`]);
    expect(await store.metrics.listMetricPeriods(EVERYTHING, id, 10)).toMatchObject([{ endedAt: NOON + 4 * MINUTE }]);
    const monitor = await store.metrics.getMetricMonitor(EVERYTHING, id);
    expect(monitor?.state).toMatchObject({ status: "ok", since: NOON + 4 * MINUTE });
  });

  test("the history has each look with its reason, the newest first", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    const looks = [
      reading(0, 4),
      reading(1, null, { problem: "It took too long." }),
      reading(2, 1, { knownShare: 0.5 }),
    ];
    for (const each of looks) await store.metricWork.saveMetricLooks([{ monitor, reading: each, nextAt: each.at + 1 }]);
    const history = await store.metrics.listMetricEvaluations(EVERYTHING, [monitor.id], 2);
    expect(history.get(monitor.id)).toMatchObject([
      { at: NOON + 2 * MINUTE, value: 1, baseline: null, decision: "unknown", reason: expect.stringContaining("50 %") },
      { at: NOON + MINUTE, value: null, baseline: null, decision: "failed", reason: "It took too long." },
    ]);
    expect((await store.metrics.listMetricEvaluations(NOTHING, [monitor.id], 2)).size).toBe(0);
  });

  test("a trouble ends when nobody watches any more, by pause, another figure or deletion", async () => {
    await using store = await openStore(createDatabase);
    const ends = [
      (id: number) => store.metrics.pauseMetricMonitor(EVERYTHING, id, true, NOON + 9),
      (id: number) => store.metrics.saveMetricSettings(EVERYTHING, id, { ...SETTINGS, query: "" }, NOON + 9),
      (id: number) => store.metrics.deleteMetricMonitor(EVERYTHING, id, NOON + 9),
    ];
    for (const end of ends) {
      const { id } = await createMonitor(store);
      await look(store, id, [11]);
      expect(await end(id)).toBe(true);
      const [trouble, ...others] = await store.findings.listFindings(10);
      expect(others).toEqual([]);
      await store.findings.dropFinding(trouble?.position ?? 0);
      expect(await listSubjects(store)).toEqual([`recovery metric ${id}`]);
      const [recovery] = await store.findings.listFindings(10);
      await store.findings.dropFinding(recovery?.position ?? 0);
    }
  });

  test("other lines leave the trouble to the next look, and another name changes nothing", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await createMonitor(store);
    await look(store, id, [11]);
    await store.metrics.saveMetricSettings(EVERYTHING, id, { ...SETTINGS, name: "Renamed", critical: 20 }, NOON);
    expect((await store.metrics.getMetricMonitor(EVERYTHING, id))?.state.status).toBe("critical");
    expect(await listSubjects(store)).toEqual([`trouble metric ${id}`]);
  });

  test("the lines follow the goal of the project from the next look on, and each look keeps those that it was held against", async () => {
    await using store = await openStore(createDatabase);
    const { metrics, metricWork, health } = store;
    const project = await createProject(store, "web");
    const settings: MetricSettings = {
      ...{ ...SETTINGS, dataset: "sessions", figure: "crash_rate(session)", query: "release:latest" },
      ...{ comparison: "goal", critical: 0 },
    };
    const made = await metrics.createMetricMonitor(EVERYTHING, project, settings, NOON);
    expect(made?.settings).toMatchObject({ critical: 2, warning: 0.5, recovery: null });
    const monitorId = made?.id ?? 0;
    const look = async (minute: number) => {
      const monitor = await metrics.getMetricMonitor(EVERYTHING, monitorId);
      if (monitor === null) throw new Error("the monitor is gone");
      const seen = reading(minute, 3, { release: "web@2" });
      await metricWork.saveMetricLooks([{ monitor, reading: seen, nextAt: NOON + (minute + 1) * MINUTE }]);
    };
    await look(0);
    await health.setGoal(EVERYTHING, project, { target: 0.95, floor: 0.9 });
    expect((await metrics.listMetricMonitors(EVERYTHING, {}))[0]?.settings).toMatchObject({ critical: 10, warning: 5 });
    await look(1);
    const evaluations = (await metrics.listMetricEvaluations(EVERYTHING, [monitorId], 9)).get(monitorId);
    expect(evaluations?.map(({ decision, lines, release }) => [decision, lines?.critical, release])).toEqual([
      ["ok", 10, "web@2"],
      ["critical", 2, "web@2"],
    ]);
    // Lines of its own go on with the same trouble: the figure is the same.
    await look(2);
    await metrics.saveMetricSettings(EVERYTHING, monitorId, { ...settings, comparison: "none", critical: 4 }, NOON);
    expect((await metrics.listMetricEvaluations(EVERYTHING, [monitorId], 9)).get(monitorId)).toHaveLength(3);
  });

  test("a look at settings that are not the monitor's any more is left out", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    await store.metrics.saveMetricSettings(EVERYTHING, monitor.id, { ...SETTINGS, query: "" }, NOON);
    await store.metricWork.saveMetricLooks([{ monitor, reading: reading(0, 99), nextAt: NOON + MINUTE }]);
    expect((await store.metrics.getMetricMonitor(EVERYTHING, monitor.id))?.state.status).toBe("unknown");
  });

  test("only a day of evaluations is kept", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    const looks = Array.from({ length: METRIC_LIMITS.evaluations + 60 }, (_, minute) => ({
      monitor,
      reading: reading(minute, 1),
      nextAt: NOON + (minute + 1) * MINUTE,
    }));
    await store.metricWork.saveMetricLooks(looks);
    const kept = await store.metrics.listMetricEvaluations(EVERYTHING, [monitor.id], 10_000);
    const count = kept.get(monitor.id)?.length ?? 0;
    expect(count).toBeGreaterThanOrEqual(METRIC_LIMITS.evaluations);
    expect(count).toBeLessThan(METRIC_LIMITS.evaluations + 15);
  });

  test("a scope sees and changes its own alone, and searches them by name and search", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await createMonitor(store);
    const { metrics } = store;
    expect(await metrics.listMetricMonitors(NOTHING, {})).toEqual([]);
    expect(await metrics.getMetricMonitor(NOTHING, id)).toBeNull();
    expect(await metrics.createMetricMonitor(NOTHING, 1, SETTINGS, NOON)).toBeNull();
    expect(await metrics.saveMetricSettings(NOTHING, id, SETTINGS, NOON)).toBe(false);
    expect(await metrics.pauseMetricMonitor(NOTHING, id, true, NOON)).toBe(false);
    expect(await metrics.deleteMetricMonitor(NOTHING, id, NOON)).toBe(false);
    const find = async (text: string) => (await metrics.listMetricMonitors(EVERYTHING, { text })).length;
    expect([await find("ERR"), await find("level:"), await find("nothing")]).toEqual([1, 1, 0]);
    expect(await metrics.listMetricMonitors(EVERYTHING, { projectId: 2 })).toEqual([]);
  });
}
