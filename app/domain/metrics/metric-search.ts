import { bindSearch } from "../search/bind-search.ts";
import { allOf, type Condition, type FieldTest, listTests } from "../search/condition.ts";
import { ERROR_VOCABULARY } from "../search/event-vocabulary.ts";
import { LOG_VOCABULARY } from "../search/log-vocabulary.ts";
import { parseSearch } from "../search/parse-search.ts";
import type { Vocabulary } from "../search/search-field.ts";
import { SPAN_VOCABULARY } from "../search/span-vocabulary.ts";
import type { MetricDataset, MetricSettings } from "./metric-monitor.ts";

const VOCABULARIES: Record<Exclude<MetricDataset, "sessions">, Vocabulary> = {
  errors: ERROR_VOCABULARY,
  transactions: SPAN_VOCABULARY,
  spans: SPAN_VOCABULARY,
  logs: LOG_VOCABULARY,
};

/** What is wrong with the search of a monitor, in a sentence; null: nothing. */
export function findMetricSearchProblem(dataset: MetricDataset, query: string, now: number): string | null {
  if (query.trim() === "") return null;
  if (dataset === "sessions") return "Sessions cannot be searched: choose an environment, or leave it empty.";
  const { tree, errors } = parseSearch(query);
  const bound = bindSearch(tree, VOCABULARIES[dataset], now);
  const [error] = [...errors, ...bound.errors];
  if (error) return error.message;
  const refused = listTests(bound.condition).map(refuseTest);
  return refused.find((refusal) => refusal !== null) ?? null;
}

/** What stands for something else at another moment, or for what only a page looks up. */
function refuseTest({ field, test, isTag }: FieldTest): string | null {
  if (isTag) return null;
  if (field === "project" || field === "projectId") return "“project:” cannot be used here: a monitor has one project.";
  if (field === "issue") return "“issue:” cannot be used here: an alert rule counts the events of an issue.";
  if (field === "occurredAt" || field === "receivedAt" || field === "startedAt")
    return "Times cannot be used here: the window says which time counts.";
  if (field === "release" && test.kind === "in" && test.values.includes("latest"))
    return "“latest” cannot be used here. Name a version, like release:>2.3.";
  return null;
}

/** What a monitor counts, as a condition. Versions are still to be looked up. */
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
  if (dataset !== "sessions" && query.trim() !== "")
    parts.push(bindSearch(parseSearch(query).tree, VOCABULARIES[dataset], now).condition);
  if (dataset === "transactions") parts.push(...bindAll("is_segment:true", now));
  if (environment !== null) parts.push(toTest("environment", [environment]));
  return allOf(parts);
}

function bindAll(search: string, now: number): Condition[] {
  return [bindSearch(parseSearch(search).tree, SPAN_VOCABULARY, now).condition];
}
