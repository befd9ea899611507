import { describe, expect, test } from "vitest";
import { readMetricForm, readMetricSettings, type TypedMetric, toMetricFields } from "./read-metric-settings.ts";
import { sayMetric } from "./say-metric.ts";

const TYPED: TypedMetric = {
  name: "  Checkout   is slow ",
  dataset: "transactions",
  figure: "p95(span.duration)",
  query: "transaction:/checkout",
  environment: "production",
  windowMinutes: 10,
  comparison: "none",
  direction: "above",
  critical: 500,
  warning: 300,
  recovery: 250,
};

describe("the settings of a metric monitor", () => {
  test("are read, said in words, and stand in the form as they were", () => {
    const read = readMetricSettings(TYPED, 0);
    if (!read.ok) throw new Error(read.message);
    expect(read.settings.name).toBe("Checkout is slow");
    expect(sayMetric(read.settings)).toBe(
      "When the p95 of the duration of transactions that fit “transaction:/checkout” in production in 10 minutes is above 500 ms, with a warning from 300 ms on, an issue opens. It ends when the value is not above 250 ms any more.",
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(toMetricFields(read.settings))) form.set(name, value);
    expect(readMetricSettings(readMetricForm(form), 0)).toEqual(read);
  });

  test("may be the goal of the project, for one release or the latest", () => {
    const typed = {
      ...{ ...TYPED, dataset: "sessions", figure: "crash_rate(user)", comparison: "goal", windowMinutes: 60 },
      ...{ query: "release:latest", critical: Number.NaN, warning: 99 },
    };
    const read = readMetricSettings(typed, 0, { target: 0.999, floor: 0.99 });
    if (!read.ok) throw new Error(read.message);
    expect(sayMetric(read.settings)).toBe(
      "When the share of users with a crash, of those that fit “release:latest”, in production in an hour is above 1 %, with a warning from 0.1 % on, an issue opens. The lines follow the project's floor of 99 % without a crash and its target of 99.9 %. It ends when that is over.",
    );
    expect(readMetricSettings({ ...typed, query: "release:[1.0, 2.0] env:beta" }, 0)).toMatchObject({ ok: true });
  });

  test.each<[Partial<TypedMetric>, string]>([
    [{ name: " " }, "name"],
    [{ dataset: "profiles" }, "dataset"],
    [{ dataset: "logs" }, "figure"],
    [{ query: "is:unresolved" }, "query"],
    [{ query: "project:shop" }, "query"],
    [{ query: "timestamp:-1h" }, "query"],
    [{ query: "x".repeat(501) }, "query"],
    [{ dataset: "sessions", figure: "count()", query: "checkout" }, "query"],
    [{ dataset: "sessions", figure: "count()", query: "os.name:iOS" }, "query"],
    [{ dataset: "sessions", figure: "count()", query: "release:1 user:7" }, "query"],
    [{ comparison: "goal" }, "comparison"],
    [{ dataset: "sessions", figure: "count()", query: "", comparison: "goal" }, "comparison"],
    [{ dataset: "errors", figure: "count()", query: "issue:SHOP-1" }, "query"],
    [{ windowMinutes: 7 }, "windowMinutes"],
    [{ comparison: "year" }, "comparison"],
    [{ direction: "over" }, "direction"],
    [{ critical: Number.NaN }, "critical"],
    [{ critical: -1 }, "critical"],
    [{ figure: "failure_rate()", critical: 101 }, "critical"],
    [{ direction: "below", critical: 0, warning: null }, "critical"],
    [{ comparison: "week", direction: "below", critical: -100, warning: null }, "critical"],
    [{ warning: 500 }, "warning"],
    [{ warning: Number.NaN }, "warning"],
    [{ recovery: 301 }, "recovery"],
    [{ direction: "below", critical: 5, warning: 10, recovery: 9 }, "recovery"],
  ])("%o is refused at %s", (change, field) => {
    expect(readMetricSettings({ ...TYPED, ...change }, 0)).toMatchObject({ ok: false, field });
  });
});
