import { type MetricFigure, type MetricSettings, type MetricUnit, unitOfFigure } from "./metric-monitor.ts";

/** Words for the counted or measured figure, which begin a sentence. */
const WORDS: Record<MetricFigure, string> = {
  "count()": "number",
  "count_unique(user)": "number of users with errors",
  "failure_rate()": "failure rate",
  "avg(span.duration)": "average duration",
  "p50(span.duration)": "p50 of the duration",
  "p75(span.duration)": "p75 of the duration",
  "p95(span.duration)": "p95 of the duration",
  "p99(span.duration)": "p99 of the duration",
  "max(span.duration)": "longest duration",
  "sum(span.duration)": "total duration",
  "crash_rate(session)": "share of sessions that crashed",
  "crash_rate(user)": "share of users with a crash",
};

/** A figure in a list to choose from. */
export function nameFigure(figure: MetricFigure): string {
  const word = WORDS[figure];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `the p95 of the duration of transactions`, `the number of errors, against last week,`. */
export function sayFigure({
  dataset,
  figure,
  comparison,
}: Pick<MetricSettings, "dataset" | "figure" | "comparison">): string {
  const word = WORDS[figure];
  const isWhole = figure === "count_unique(user)" || figure.startsWith("crash_rate");
  const said = isWhole ? `the ${word}` : `the ${word} of ${dataset === "logs" ? "log lines" : dataset}`;
  return comparison === "week" ? `${said}, against last week,` : said;
}

/** `812 ms`, `3.4 %`, `1,204`. */
export function formatFigure(figure: MetricFigure, value: number): string {
  return formatUnit(unitOfFigure(figure), value);
}

/** A value that is held against the line: a change has its sign. */
export function formatLine(
  { figure, comparison }: Pick<MetricSettings, "figure" | "comparison">,
  value: number,
): string {
  if (comparison !== "week") return formatFigure(figure, value);
  return `${value > 0 ? "+" : ""}${formatNumber(value)} %`;
}

/** What a line means for a monitor that follows the project's goal: `the project's floor of 98 %`. Null: the line is the monitor's own. */
export function sayGoalOf(
  { comparison, critical, warning }: Pick<MetricSettings, "comparison" | "critical" | "warning">,
  level: "warning" | "critical",
): string | null {
  if (comparison !== "goal") return null;
  return level === "critical"
    ? `the project's floor of ${formatCrashFree(critical)}`
    : `the project's target of ${formatCrashFree(warning ?? critical)}`;
}

/** `97.5 % crash-free sessions` for 2.5 % that crashed. */
export function sayCrashFree({ figure }: Pick<MetricSettings, "figure">, crashed: number): string {
  return `${formatCrashFree(crashed)} crash-free ${figure === "crash_rate(user)" ? "users" : "sessions"}`;
}

/** Cut, not rounded: what crashed once is not free of crashes. */
function formatCrashFree(crashed: number): string {
  return `${(Math.floor((100 - crashed) * 1e3 + 1e-6) / 1e3).toLocaleString("en", { maximumFractionDigits: 3 })} %`;
}

function formatUnit(unit: MetricUnit, value: number): string {
  if (unit === "percent") return `${formatNumber(value)} %`;
  if (unit === "count") return formatNumber(value);
  return Math.abs(value) < 10_000 ? `${formatNumber(value)} ms` : `${formatNumber(value / 1000)} s`;
}

function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 3;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** `10 minutes`, `an hour`, `24 hours`. */
export function sayWindow({ windowMinutes }: Pick<MetricSettings, "windowMinutes">): string {
  if (windowMinutes === 1) return "a minute";
  if (windowMinutes < 60) return `${windowMinutes} minutes`;
  const hours = windowMinutes / 60;
  return hours === 1 ? "an hour" : `${hours} hours`;
}

/** The monitor as a sentence. */
export function sayMetric(settings: MetricSettings): string {
  const { query, environment, direction, critical, warning, recovery, figure, comparison, dataset } = settings;
  const fit = dataset === "sessions" ? `, of those that fit “${query}”,` : ` that fit “${query}”`;
  const where = [query && fit, environment && ` in ${environment}`].filter(Boolean).join("");
  const isSilence =
    figure === "count()" && comparison !== "week" && direction === "below" && critical <= 1 && warning === null;
  const line = isSilence
    ? `When no ${dataset === "logs" ? "log line" : dataset.replace(/s$/, "")}${where.replace(" that fit", " that fits")} came in ${sayWindow(settings)}`
    : `When ${sayFigure(settings)}${where} in ${sayWindow(settings)} is ${direction} ${formatLine(settings, critical)}`;
  const warns = warning === null ? "" : `, with a warning from ${formatLine(settings, warning)} on`;
  const goal =
    comparison === "goal"
      ? ` ${warning === null ? `The line follows ${sayGoalOf(settings, "critical")} without a crash.` : `The lines follow ${sayGoalOf(settings, "critical")} without a crash and its target of ${formatCrashFree(warning)}.`}`
      : "";
  const ends =
    recovery === null
      ? "It ends when that is over."
      : `It ends when the value is not ${direction} ${formatLine(settings, recovery)} any more.`;
  return `${line}${warns}, an issue opens.${goal} ${ends}`;
}
