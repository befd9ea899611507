import { toLogSeverity } from "../../domain/logs/log-severity.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { findLogFilter } from "../../features/logs/find-log-filter.server.ts";
import { readLogValue } from "../../features/logs/log-line.server.ts";
import { printPlace, readPlace } from "../../features/logs/log-place.ts";
import type { LogFilter, StoredLog } from "../../stores/events/logs.ts";
import { answer, refusal, toIso, toLinkHeader } from "../answers.ts";
import { toBuckets } from "../get-stats.server.ts";
import { toPlace, toProjectScope, toTimeRange } from "../query.ts";
import { sayRefusal } from "../say-refusal.ts";
import type { Dataset, DatasetCall, RowsQuery, SeriesQuery } from "./dataset.ts";

/** What `sentry-cli logs list` asks for. */
const DEFAULT_FIELDS = ["sentry.item_id", "trace", "severity", "timestamp", "message"];
/** As the page's: a search through attributes of many lines goes on with the next page. Milliseconds. */
const ROWS_BUDGET_MS = 2_000;
const SERIES_BUDGET_MS = 5_000;
/** More points than a graph can show. */
const MAX_BUCKETS = 1_000;

/** Log lines: single ones, newest first, and how many there are over time. */
export const LOGS_DATASET: Dataset = {
  async listRows(call) {
    const { workspace, query, url, now } = call;
    const fields = query.field.length > 0 ? query.field : DEFAULT_FIELDS;
    const figure = fields.find((field) => /^\w+\(.*\)$/.test(field));
    if (figure !== undefined)
      throw refusal(400, `field: "${figure.slice(0, 100)}" is not supported. Logs are counted by events-stats`);
    if (query.sort !== undefined && query.sort !== "-timestamp")
      throw refusal(400, "sort: logs are sorted by -timestamp");
    const filter = await toFilter(call, toTimeRange(query, { now, fallbackMs: DAY_MS }));
    const { cursor, limit } = toPlace(query);
    const before = readPlace(cursor);
    if (cursor !== null && before === null) throw refusal(400, "cursor: must be one that an answer gave");
    const projects = await workspace.state.projects.listProjects(workspace.scope);
    const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
    const page = await workspace.events.findLogs(filter, {
      limit,
      budgetMs: ROWS_BUDGET_MS,
      ...(before && { before }),
    });
    const link = toLinkHeader(url, { previousCursor: null, nextCursor: page.next && printPlace(page.next) });
    const data = page.lines.map((line) =>
      Object.fromEntries(fields.map((field) => [field, toValue(field, line, slugs.get(line.projectId) ?? null)])),
    );
    const searchedFrom = page.readUpTo === null ? null : toIso(page.readUpTo);
    return answer({ data, meta: toMeta(fields, searchedFrom) }, { headers: { link } });
  },

  async listSeries(call) {
    const { query, now } = call;
    const { from, to, intervalMs, bucketCount } = toBuckets(query, now, { unitMs: MINUTE_MS, maxBuckets: MAX_BUCKETS });
    const other = query.yAxis.find((figure) => figure !== "count()" && figure !== "count(message)");
    if (other !== undefined || query.yAxis.length !== 1)
      throw refusal(
        400,
        `yAxis: "${(other ?? query.yAxis.join(", ")).slice(0, 100)}" is not supported. Logs have count()`,
      );
    if (query.topEvents !== undefined) throw refusal(400, "topEvents: logs are not counted by group");
    const filter = await toFilter(call, { from, to });
    const { buckets, countedFrom } = await call.workspace.events.summarizeLogs(filter, {
      bucketMs: intervalMs,
      budgetMs: SERIES_BUDGET_MS,
    });
    const counts = new Array<number>(bucketCount).fill(0);
    for (const { at, count } of buckets) {
      const index = Math.floor((at - from) / intervalMs);
      counts[index] = (counts[index] ?? 0) + count;
    }
    return answer({
      data: counts.map((count, index) => [Math.floor((from + index * intervalMs) / 1000), [{ count }]]),
      order: 0,
      start: Math.floor(from / 1000),
      end: Math.floor(to / 1000),
      isMetricsData: false,
      meta: toMeta(query.yAxis, countedFrom > from ? toIso(countedFrom) : null),
    });
  },
};

async function toFilter(
  { workspace, query, now }: DatasetCall<RowsQuery | SeriesQuery>,
  time: { from: number; to: number },
): Promise<LogFilter> {
  const scope = await toProjectScope(workspace, query);
  const { where, errors } = await findLogFilter(workspace, { search: query.query, scope, now });
  const [error] = errors;
  if (error !== undefined) throw refusal(400, sayRefusal(error));
  return { projectIds: scope.projectIds, ...time, environments: query.environment, where };
}

function toValue(field: string, line: StoredLog, slug: string | null): string | number | null {
  switch (field) {
    case "sentry.item_id":
    case "id":
      return line.id;
    case "timestamp":
      return toIso(Math.floor(line.occurredUs / 1000));
    case "timestamp_precise":
      return line.occurredUs * 1000;
    case "project.id":
    case "project_id":
      return line.projectId;
    case "project":
    case "project.name":
      return slug;
    case "severity_number":
      return line.severity;
  }
  const key = findField(LOG_VOCABULARY, field)?.key ?? field;
  if (key === "severity") return toLogSeverity(line.severity);
  return key === "message" ? line.body : readLogValue(line, key);
}

function toMeta(fields: readonly string[], searchedFrom: string | null) {
  const toType = (field: string) =>
    field === "timestamp" ? "date" : /\(|_number$|_precise$|project.?id$/.test(field) ? "number" : "string";
  return {
    fields: Object.fromEntries(fields.map((field) => [field, toType(field)])),
    units: Object.fromEntries(fields.map((field) => [field, null])),
    searchedFrom,
  };
}
