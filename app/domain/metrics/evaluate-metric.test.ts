import { describe, expect, test } from "vitest";
import { evaluateMetric, findMetricFindings, type MetricReading } from "./evaluate-metric.ts";
import { followGoal } from "./follow-goal.ts";
import {
  type MetricEvaluation,
  type MetricPeriod,
  type MetricSettings,
  type MetricState,
  NO_METRIC_STATE,
} from "./metric-monitor.ts";
import { figureOf, toWholeSum } from "./metric-sum.ts";

const SETTINGS: MetricSettings = {
  name: "Checkout is slow",
  dataset: "transactions",
  figure: "p95(span.duration)",
  query: "transaction:/checkout",
  environment: null,
  windowMinutes: 10,
  comparison: "none",
  direction: "above",
  critical: 500,
  warning: 300,
  recovery: 200,
};
const NOON = Date.UTC(2026, 4, 20, 12);
const NOTHING = { value: null, baseline: null, count: 0, release: null, knownShare: 1, problem: null, doubt: null };

/** Looks a minute apart; gives each decision, and what the issue is told. */
function look(readings: ReadonlyArray<Partial<MetricReading>>, change: Partial<MetricSettings> = {}) {
  const settings = { ...SETTINGS, ...change };
  let state: MetricState = NO_METRIC_STATE;
  let open: MetricPeriod | null = null;
  const points: MetricEvaluation[] = [];
  const told: string[] = [];
  for (const [index, partial] of readings.entries()) {
    const at = NOON + index * 60_000;
    const reading = { ...NOTHING, at, ...partial };
    const evaluated = evaluateMetric({ settings, state }, open, reading);
    const findings = findMetricFindings({ id: 7, projectId: 1, settings }, evaluated, { before: open, points });
    told.push(...findings.map((each) => (each.kind === "trouble" ? `${each.level} ${each.message}` : each.reason)));
    points.push(evaluated.evaluation);
    state = evaluated.state;
    if (evaluated.opened) open = evaluated.opened;
    if (open && evaluated.worsened) open = { ...open, ...evaluated.worsened };
    if (evaluated.closedAt !== null) open = null;
  }
  return {
    decisions: points.map(({ decision }) => decision),
    reasons: points.map(({ reason }) => reason),
    told,
    state,
    open,
  };
}

const values = (...all: Array<number | null>) => all.map((value) => ({ value }));

describe("a metric monitor", () => {
  test("says with a value of low confidence that it is, in its history and to the issue", () => {
    const doubt = "Low confidence: 7 kept, which stand for about 1,400.";
    const { decisions, reasons, told } = look([{ value: 100, doubt }, { value: 501, doubt }, { value: 502 }]);
    expect(decisions).toEqual(["ok", "critical", "critical"]);
    expect(reasons).toEqual([doubt, doubt, null]);
    expect(told).toEqual([
      `error Checkout is slow: the p95 of the duration of transactions was 501 ms, above 500 ms. ${doubt}`,
    ]);
  });

  test("warns, becomes critical, and is well only beyond the recovery line; the issue is told each once", () => {
    const { decisions, told, state } = look(values(100, 301, 501, 800, 300, 201, 200));
    expect(decisions).toEqual(["ok", "warning", "critical", "critical", "warning", "warning", "ok"]);
    expect(told).toEqual([
      "warning Checkout is slow: the p95 of the duration of transactions was 301 ms, above 300 ms",
      "error Checkout is slow: the p95 of the duration of transactions was 501 ms, above 500 ms",
      "the p95 of the duration of transactions is back at 200 ms",
    ]);
    expect(state).toMatchObject({ status: "ok", since: NOON + 6 * 60_000 });
  });

  test("keeps the worst level and the farthest value of a period", () => {
    expect(look(values(301, 900, 350)).open).toEqual({ startedAt: NOON, endedAt: null, level: "critical", peak: 900 });
    const below = { direction: "below", figure: "count()", critical: 5, warning: 10, recovery: null } as const;
    expect(look(values(9, 2, 4), below).open).toMatchObject({ level: "critical", peak: 2 });
  });

  test("a line itself is not crossed", () => {
    expect(look(values(300), { recovery: null }).decisions).toEqual(["ok"]);
  });

  test("without a value, or when the question fails, the state stays", () => {
    const { decisions, state, reasons } = look([...values(600, null), { problem: "It took too long." }]);
    expect(decisions).toEqual(["critical", "no-data", "failed"]);
    expect(state).toMatchObject({ status: "critical", since: NOON });
    expect(reasons[2]).toBe("It took too long.");
  });

  test("while Culprit was down nothing is decided, except that a part of a count is already too much", () => {
    const count = { figure: "count()", critical: 10, warning: null, recovery: null } as const;
    const half = { knownShare: 0.5 };
    expect(look([{ value: 11, ...half }], count).decisions).toEqual(["critical"]);
    expect(look([{ value: 9, ...half }], count).decisions).toEqual(["unknown"]);
    expect(look([{ value: 0, ...half }], { ...count, direction: "below" }).decisions).toEqual(["unknown"]);
    expect(look([{ value: 600, ...half }]).reasons).toEqual(["Culprit was down for 50 % of the window."]);
    expect(look([{ value: 0, knownShare: 0.95 }], { ...count, direction: "below" }).decisions).toEqual(["critical"]);
  });

  test("no events for a while is a count below one", () => {
    const silence = { dataset: "errors", figure: "count()", direction: "below", critical: 1 } as const;
    const { decisions, told } = look(values(3, 0, 0, 1), { ...silence, query: "", warning: null, recovery: null });
    expect(decisions).toEqual(["ok", "critical", "critical", "ok"]);
    expect(told).toEqual([
      "error Checkout is slow: the number of errors was 0, below 1",
      "the number of errors is back at 1",
    ]);
  });

  test("compares with the week before in percent", () => {
    const week = { comparison: "week", figure: "count()", critical: 50, warning: null, recovery: null } as const;
    const seen = look(
      [
        { value: 15, baseline: 10 },
        { value: 16, baseline: 10 },
        { value: 5, baseline: 0 },
        { value: 5, baseline: null },
        { value: 0, baseline: 0 },
      ],
      week,
    );
    expect(seen.decisions).toEqual(["ok", "critical", "no-data", "no-data", "ok"]);
    expect(seen.told[0]).toContain("+60 %, above +50 %");
    const fall = look([{ value: 4, baseline: 10 }], { ...week, direction: "below", critical: -50 });
    expect(fall.decisions).toEqual(["critical"]);
  });

  test("follows the goal of its project, says so with the release, and decides nothing of few sessions", () => {
    const followed = (goal: { target: number; floor: number }) =>
      followGoal(
        { ...SETTINGS, dataset: "sessions", figure: "crash_rate(session)", comparison: "goal", direction: "below" },
        goal,
      );
    const settings = followed({ target: 0.993, floor: 0.98 });
    expect(settings).toMatchObject({ direction: "above", critical: 2, warning: 0.7, recovery: null });
    expect(followed({ target: 0.99, floor: 0.99 })).toMatchObject({ critical: 1, warning: null });
    expect(followGoal(SETTINGS, { target: 1, floor: 1 })).toBe(SETTINGS);

    const share = (crashed: number, count: number) => ({
      value: figureOf("crash_rate(session)", toWholeSum(count, crashed)),
      count,
      release: "shop@2.3.1",
    });
    // Exactly at the target is not below it.
    const seen = look([share(7, 1_000), share(8, 1_000), share(5, 19), share(3, 100), share(0, 100)], settings);
    expect(seen.decisions).toEqual(["ok", "warning", "no-data", "critical", "ok"]);
    expect(seen.reasons[2]).toBe("Too few to judge: 19 sessions, and a target needs 20.");
    expect(seen.told).toEqual([
      "warning Checkout is slow: 99.2 % crash-free sessions with shop@2.3.1, below the project's target of 99.3 %",
      "error Checkout is slow: 97 % crash-free sessions with shop@2.3.1, below the project's floor of 98 %",
      "100 % crash-free sessions again",
    ]);
    expect(seen.state.last).toMatchObject({ release: "shop@2.3.1", lines: { critical: 2, warning: 0.7 } });
  });

  test("the issue gets the values before it, for its chart", () => {
    const settings = { ...SETTINGS, warning: null, recovery: null };
    const evaluated = evaluateMetric({ settings, state: NO_METRIC_STATE }, null, {
      ...NOTHING,
      at: NOON,
      value: 700,
    });
    const points = [100, null, 200].map(
      (value, index): MetricEvaluation => ({
        ...{ at: index, value, baseline: null, decision: "ok", reason: null, release: null, lines: null },
      }),
    );
    const [finding] = findMetricFindings({ id: 7, projectId: 1, settings }, evaluated, { before: null, points });
    expect(finding).toMatchObject({
      subject: "metric 7",
      contexts: { metric: { value: "700 ms", line: "above 500 ms", points: [100, null, 200, 700] } },
    });
  });
});
