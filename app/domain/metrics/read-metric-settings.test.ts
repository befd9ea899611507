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

  test.each<[Partial<TypedMetric>, string]>([
    [{ name: " " }, "name"],
    [{ dataset: "profiles" }, "dataset"],
    [{ dataset: "logs" }, "figure"],
    [{ query: "is:unresolved" }, "query"],
    [{ query: "project:shop" }, "query"],
    [{ query: "timestamp:-1h" }, "query"],
    [{ query: "release:latest" }, "query"],
    [{ query: "x".repeat(501) }, "query"],
    [{ dataset: "sessions", figure: "count()", query: "release:1" }, "query"],
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
