import { bindSearch } from "../search/bind-search.ts";
import { allOf, type Condition, type FieldTest, listTests } from "../search/condition.ts";
import { ERROR_VOCABULARY } from "../search/event-vocabulary.ts";
import { LOG_VOCABULARY } from "../search/log-vocabulary.ts";
import { parseSearch } from "../search/parse-search.ts";
import type { Vocabulary } from "../search/search-field.ts";
import { SESSION_VOCABULARY } from "../search/session-vocabulary.ts";
import { SPAN_VOCABULARY } from "../search/span-vocabulary.ts";
import type { MetricDataset, MetricSettings } from "./metric-monitor.ts";

const VOCABULARIES: Record<MetricDataset, Vocabulary> = {
  errors: ERROR_VOCABULARY,
  transactions: SPAN_VOCABULARY,
  spans: SPAN_VOCABULARY,
  logs: LOG_VOCABULARY,
  sessions: SESSION_VOCABULARY,
};

/** Says what is wrong with the search of a monitor. Null: nothing is. */
export function findMetricSearchProblem(dataset: MetricDataset, query: string, now: number): string | null {
  if (query.trim() === "") return null;
  const { tree, errors } = parseSearch(query);
  const bound = bindSearch(tree, VOCABULARIES[dataset], now);
  const [error] = [...errors, ...bound.errors];
  if (error) return error.message;
  if (dataset === "sessions" && listTests(bound.condition).some(({ field }) => field === SESSION_VOCABULARY.text.field))
    return "Sessions have a release and an environment, and no text. Write release: before a version.";
  const refused = listTests(bound.condition).map(refuseTest);
  return refused.find((refusal) => refusal !== null) ?? null;
}

/** Refuses tests whose meaning depends on the moment, or that only a page can look up. */
function refuseTest({ field, isTag }: FieldTest): string | null {
  if (isTag) return null;
  if (field === "project" || field === "projectId") return "“project:” cannot be used here: a monitor has one project.";
  if (field === "issue") return "“issue:” cannot be used here: an alert rule counts the events of an issue.";
  if (field === "occurredAt" || field === "receivedAt" || field === "startedAt")
    return "Times cannot be used here: the window says which time counts.";
  return null;
}

/** Whether a test is of the newest release of the project, which is another one at another moment. */
export function isOfLatest({ field, test }: FieldTest): boolean {
  return field === "release" && test.kind === "in" && test.values.includes("latest");
}

/** The one release that a condition without `latest` allows. Null: several, or any. */
export function findOnlyRelease(condition: Condition): string | null {
  if (condition.kind === "all") return condition.parts.map(findOnlyRelease).find((release) => release !== null) ?? null;
  if (condition.kind === "any" || condition.isNegated || condition.field !== "release" || condition.isTag) return null;
  const [release, ...more] = condition.test.kind === "in" ? condition.test.values : [];
  return release !== undefined && more.length === 0 ? release : null;
}

/** The search that leaves out what monitors found. */
const NOT_OF_MONITORS = "!has:monitor.kind";
/**
 * A fast form of this search for the event store, which then checks the tags of few events only. All findings of monitors have this
 * platform (finding.ts).
 */
const NOT_OF_MONITORS_QUICKLY = `!platform:other OR ${NOT_OF_MONITORS}`;

/**
 * Whether a monitor counts every error of the program. Monitors write events of their own, and none counts those: a monitor of silence would
 * end by its own issue, and one monitor would set off the next. A search that names their tags counts them.
 */
export function countsEveryError({
  dataset,
  query,
  environment,
}: Pick<MetricSettings, "dataset" | "query" | "environment">): boolean {
  return dataset === "errors" && query.trim() === "" && environment === null;
}

/** The search of a monitor, with the conditions that its dataset always has. */
export function toWholeQuery({ dataset, query }: Pick<MetricSettings, "dataset" | "query">): string {
  const typed = / OR /.test(query) ? `(${query})` : query;
  if (dataset === "transactions") return `is_segment:true ${typed}`.trim();
  return dataset === "errors" && !namesMonitors(query) ? `${typed} ${NOT_OF_MONITORS}`.trim() : query;
}

function namesMonitors(query: string): boolean {
  const { condition } = bindSearch(parseSearch(query).tree, ERROR_VOCABULARY, 0);
  return listTests(condition).some(({ field, isTag }) => isTag && field.startsWith("monitor."));
}

/** The search of a monitor as a condition. Versions in it are not yet looked up. */
export function bindMetricSearch(
  { dataset, query, environment }: Pick<MetricSettings, "dataset" | "query" | "environment">,
  now: number,
): Condition {
  const parts: Condition[] = [];
  const toTest = (field: string, values: string[]): Condition => ({
    kind: "test",
    field,
    isTag: false,
    isNegated: false,
    test: { kind: "in", values },
  });
  if (query.trim() !== "") parts.push(bindSearch(parseSearch(query).tree, VOCABULARIES[dataset], now).condition);
  if (dataset === "transactions")
    parts.push(bindSearch(parseSearch("is_segment:true").tree, SPAN_VOCABULARY, now).condition);
  if (dataset === "errors" && !namesMonitors(query))
    parts.push(bindSearch(parseSearch(NOT_OF_MONITORS_QUICKLY).tree, ERROR_VOCABULARY, now).condition);
  if (environment !== null) parts.push(toTest("environment", [environment]));
  return allOf(parts);
}
