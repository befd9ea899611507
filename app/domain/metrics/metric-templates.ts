import type { TypedMetric } from "./read-metric-settings.ts";

/** A monitor that many teams want. */
export interface MetricTemplate {
  id: string;
  /** The purpose of the monitor, as a sentence. */
  what: string;
  typed: TypedMetric;
}

const PLAIN: TypedMetric = {
  name: "",
  dataset: "errors",
  figure: "count()",
  query: "",
  environment: null,
  windowMinutes: 10,
  comparison: "none",
  direction: "above",
  critical: 100,
  warning: null,
  recovery: null,
};

export const METRIC_TEMPLATES: readonly MetricTemplate[] = [
  {
    id: "error-spike",
    what: "Twice as many errors in an hour as a week before.",
    typed: { ...PLAIN, name: "More errors than last week", windowMinutes: 60, comparison: "week" },
  },
  {
    id: "affected-users",
    what: "50 users with an error within an hour, of whatever issue.",
    typed: { ...PLAIN, name: "Many users have errors", figure: "count_unique(user)", windowMinutes: 60, critical: 50 },
  },
  {
    id: "slow-requests",
    what: "One request in twenty takes more than a second.",
    typed: {
      ...PLAIN,
      name: "Requests are slow",
      dataset: "transactions",
      figure: "p95(span.duration)",
      critical: 1_000,
      warning: 500,
    },
  },
  {
    id: "failing-requests",
    what: "More than 5 % of the requests fail.",
    typed: {
      ...PLAIN,
      name: "Requests fail",
      dataset: "transactions",
      figure: "failure_rate()",
      critical: 5,
      warning: 2,
      recovery: 1,
    },
  },
  {
    id: "crashing-sessions",
    what: "More than 2 % of the sessions crash.",
    typed: {
      ...PLAIN,
      name: "Sessions crash",
      dataset: "sessions",
      figure: "crash_rate(session)",
      windowMinutes: 60,
      critical: 2,
      warning: 1,
    },
  },
  {
    id: "release-health",
    what: "The newest release crashes more often than the project’s target allows.",
    typed: {
      ...PLAIN,
      name: "The newest release crashes",
      dataset: "sessions",
      figure: "crash_rate(session)",
      query: "release:latest",
      windowMinutes: 60,
      comparison: "goal",
    },
  },
  {
    id: "silence",
    what: "No request came for half an hour: the program, or what reports it, may be down.",
    typed: {
      ...PLAIN,
      name: "Nothing comes any more",
      dataset: "transactions",
      windowMinutes: 30,
      direction: "below",
      critical: 1,
    },
  },
  {
    id: "error-logs",
    what: "More than 100 log lines of severity error or fatal in ten minutes.",
    typed: { ...PLAIN, name: "Many errors in the logs", dataset: "logs", query: "severity:[error, fatal]" },
  },
];
