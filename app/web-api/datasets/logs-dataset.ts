import { toLogSeverity } from "../../domain/logs/log-severity.ts";
import { MAX_NUMBERS } from "../../domain/number-sum.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { readNamedTag } from "../../domain/search/named-tag.ts";
import { findField } from "../../domain/search/search-field.ts";
import type { SpanAggregate } from "../../domain/spans/span-aggregates.ts";
import { NUMBER_FUNCTIONS, readSpanFigure, valueOfNumbers } from "../../domain/spans/span-figure.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { findLogFilter } from "../../features/logs/find-log-filter.server.ts";
import { findUnknownAttributes, findUnknownKeys } from "../../features/logs/find-unknown-attributes.server.ts";
import { toLogKey } from "../../features/logs/log-key.server.ts";
import { readLogValue } from "../../features/logs/log-line.server.ts";
import { printPlace, readPlace } from "../../features/logs/log-place.ts";
import { nameServiceKeys } from "../../features/projects/name-service-keys.server.ts";
import type { LogFilter, LogGroup, LogKey, StoredLog } from "../../stores/events/logs.ts";
import { answer, refusal, toIso, toLinkHeader } from "../answers.ts";
import { toBuckets } from "../get-stats.server.ts";
import { MAX_LINES_PAGE_SIZE, refuseCursor, requireCursor, toPlace, toProjectScope, toTimeRange } from "../query.ts";
import { refuseMistyped, sayRefusal } from "../say-refusal.ts";
import {
  type Dataset,
  type DatasetCall,
  type DatasetMeta,
  type DatasetSeries,
  findSorted,
  listOwnAttributes,
  looksLikeFigure,
  type RowsQuery,
  refuseMistypedField,
  requireGroups,
  requireWholeFigures,
  type SeriesQuery,
  toNumber,
} from "./dataset.ts";

/** What `sentry-cli logs list` asks for. */
const DEFAULT_FIELDS = ["sentry.item_id", "trace", "severity", "timestamp", "message"];
/** Fields that may be asked for besides the keys of the search. */
const OTHER_FIELDS: readonly string[] = ["timestamp_precise", "title"];
const MAX_EARLIER_KEYS = 500;
/** The time for one page of lines, as on the page of logs. A search through attributes of many lines continues with the next page. Milliseconds. */
const ROWS_BUDGET_MS = 2_000;
const SERIES_BUDGET_MS = 5_000;
/** More points than a graph can show. */
const MAX_BUCKETS = 1_000;
const SORTS = "sort: logs are sorted by -timestamp, groups by -count()";
const FIGURES = `Logs have count(), and ${NUMBER_FUNCTIONS.join(", ")} of an attribute`;

/** Log lines: single ones, newest first, and how many there are over time. */
export const LOGS_DATASET: Dataset = {
  async listRows(call) {
    const { query } = call;
    const fields = query.field.length > 0 ? query.field : DEFAULT_FIELDS;
    requireWholeFigures(fields);
    await requireKnown(call, fields);
    if (fields.some(looksLikeFigure)) return countLines(call, fields);
    const { data, meta, link } = await listLines(call, fields);
    return answer({ data, meta }, { headers: { link } });
  },

  async sumOverTime(call): Promise<DatasetSeries> {
    const { query, now } = call;
    const { from, to, intervalMs, bucketCount } = toBuckets(query, now, { unitMs: MINUTE_MS, maxBuckets: MAX_BUCKETS });
    const other = query.yAxis.find((figure) => !isCount(figure));
    if (other !== undefined || query.yAxis.length !== 1)
      throw refusal(
        400,
        `yAxis: "${(other ?? query.yAxis.join(", ")).slice(0, 100)}" is not supported. Over time, logs have count() alone`,
      );
    const grouped = requireGroups(query);
    if (query.topEvents !== undefined || grouped.length > 0)
      throw refusal(400, "topEvents: logs are not counted by group");
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
    return {
      from,
      to,
      intervalMs,
      figures: query.yAxis,
      fields: null,
      groups: [{ group: [], values: [counts] }],
      meta: toMeta(query.yAxis, countedFrom > from ? toIso(countedFrom) : null),
    };
  },

  checkField(field) {
    requireWholeFigures([field]);
    if (looksLikeFigure(field)) requireFigure(field);
    return ["number", "integer"].includes(toMeta([field], null).fields[field] ?? "") ? "number" : "string";
  },
  checkKnown: requireKnown,
  checkSort: requireSort,
  checkQuery: (call) => toFilter(call, toLogRange(call.query, call.now)),
};

/** @throws a 400 answer for any order but that of the answer. */
function requireSort(sort: string, fields: readonly string[]): void {
  const isGrouped = fields.some(looksLikeFigure);
  const isKnown = isGrouped
    ? sort.startsWith("-") && isCount(findSorted(fields, sort) ?? "")
    : sort === "-timestamp" || sort === "-timestamp_precise";
  if (!isKnown) throw refusal(400, SORTS);
}

/**
 * The range of the search. As on the page of logs, it ends a minute after now, because clocks of senders may be ahead. An end that the
 * query names is kept.
 */
function toLogRange(query: RowsQuery, now: number): { from: number; to: number } {
  const { from, to } = toTimeRange(query, { now, fallbackMs: DAY_MS });
  return { from, to: query.statsPeriod === undefined && query.end !== undefined ? to : to + MINUTE_MS };
}

/** @throws a 400 answer for an attribute that no line has. */
async function requireKnown(
  { workspace, query, now }: DatasetCall<RowsQuery>,
  fields: readonly string[],
): Promise<void> {
  const keys = fields.flatMap((field) => (looksLikeFigure(field) ? (readSpanFigure(field)?.attribute ?? []) : field));
  const isProject = (key: string) => /^project[._](?:id|name)$/.test(key);
  const attributes = listOwnAttributes(
    keys,
    (key) => OTHER_FIELDS.includes(key) || isProject(key) || findField(LOG_VOCABULARY, key) !== undefined,
  );
  if (attributes.length === 0) return;
  const { projectIds } = await toProjectScope(workspace, query);
  const range = toLogRange(query, now);
  // The range may be a quiet one, so keys of earlier lines are known, too.
  const earlier = await workspace.events.listAttributeKeys(
    { projectIds, signal: "logs", from: 0, to: range.from },
    MAX_EARLIER_KEYS,
  );
  const isEarlier = new Set(earlier.map(({ key }) => key));
  const asked = attributes.filter((key) => !isEarlier.has(key));
  refuseMistypedField(await findUnknownKeys(workspace, { projectIds, ...range }, { asked, budgetMs: ROWS_BUDGET_MS }));
}

/** Single lines, newest first. The answer has the `Link` header of the page. */
export async function listLines(
  call: DatasetCall<RowsQuery>,
  fields: readonly string[],
): Promise<{ data: Array<Record<string, string | number | null>>; meta: DatasetMeta; link: string }> {
  const { workspace, query, url, now } = call;
  if (query.sort !== undefined) requireSort(query.sort, fields);
  const filter = await toFilter(call, toLogRange(query, now));
  const { cursor, limit } = toPlace(query, { max: MAX_LINES_PAGE_SIZE });
  requireCursor(cursor, readPlace);
  const before = readPlace(cursor);
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
  return { data, meta: toMeta(fields, searchedFrom), link };
}

/** Null: the figure is a count. @throws a 400 answer for a figure that logs do not have. */
function requireFigure(text: string): { aggregate: SpanAggregate; attribute: LogKey } | null {
  if (isCount(text)) return null;
  const figure = readSpanFigure(text);
  const attribute = figure?.attribute ?? null;
  if (figure === null || attribute === null)
    throw refusal(400, `field: "${text.slice(0, 100)}" is not supported. ${FIGURES}`);
  return { aggregate: figure.aggregate, attribute: toGroupKey(attribute) };
}

function isCount(figure: string): boolean {
  return figure === "count()" || figure === "count(message)";
}

const MAX_KEYS = 3;

/** Figures of log lines: their number and figures of their attributes, for all lines together or grouped by up to three keys. */
async function countLines(call: DatasetCall<RowsQuery>, fields: readonly string[]): Promise<Response> {
  const { query } = call;
  const keys = fields.filter((field) => !looksLikeFigure(field));
  const hasNumbers = fields.filter(looksLikeFigure).some((field) => requireFigure(field) !== null);
  if (keys.length > MAX_KEYS) throw refusal(400, `field: figures are grouped by at most ${MAX_KEYS} fields`);
  if (query.sort !== undefined) requireSort(query.sort, fields);
  refuseCursor(query);
  const filter = await toFilter(call, toLogRange(query, call.now));
  const [key] = keys;
  const isBySeverity = key === undefined || (keys.length === 1 && toGroupKey(key).name === "severity");
  return isBySeverity && !hasNumbers
    ? countSeverities(call, { filter, fields, key })
    : countGroups(call, { filter, fields, keys });
}

/** Counts lines from the stored sums, if the search allows it: by severity, or all together without `key`. */
async function countSeverities(
  { workspace, url }: DatasetCall<RowsQuery>,
  { filter, fields, key }: { filter: LogFilter; fields: readonly string[]; key: string | undefined },
): Promise<Response> {
  // Buckets of whole hours, as the stored sums have them. The number of buckets does not matter here.
  const bucketMs = Math.max(1, Math.ceil((filter.to - filter.from) / HOUR_MS)) * HOUR_MS;
  const { buckets, countedFrom } = await workspace.events.summarizeLogs(filter, {
    bucketMs,
    budgetMs: SERIES_BUDGET_MS,
  });
  const counts = new Map<string, number>();
  for (const { severity, count } of buckets) {
    const group = key === undefined ? "" : severity;
    counts.set(group, (counts.get(group) ?? 0) + count);
  }
  // A count of all lines has one row, also if there are none.
  if (key === undefined && counts.size === 0) counts.set("", 0);
  const rows = [...counts].sort(([, one], [, other]) => other - one);
  const data = rows.map(([group, count]) =>
    Object.fromEntries(fields.map((field) => [field, looksLikeFigure(field) ? count : group])),
  );
  return answerGroups(url, { data, fields, filter, countedFrom });
}

async function countGroups(
  { workspace, query, url }: DatasetCall<RowsQuery>,
  { filter, fields, keys }: { filter: LogFilter; fields: readonly string[]; keys: readonly string[] },
): Promise<Response> {
  const figures = new Map(fields.filter(looksLikeFigure).map((field) => [field, requireFigure(field)]));
  const ofNumbers = [...figures.values()].flatMap((figure) => figure ?? []);
  const numbers = [...new Map(ofNumbers.map(({ attribute }) => [JSON.stringify(attribute), attribute])).values()];
  if (numbers.length > MAX_NUMBERS) throw refusal(400, `field: figures are of at most ${MAX_NUMBERS} attributes`);
  const by = await nameServiceKeys(workspace, filter.projectIds, keys.map(toGroupKey));
  const options = { by, numbers, limit: toPlace(query).limit, budgetMs: SERIES_BUDGET_MS };
  const { groups, countedFrom } = await workspace.events.countLogs(filter, options);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const slugs = new Map(projects.map(({ id, slug }) => [String(id), slug]));
  const isSlug = (key: string) => toGroupKey(key).name === "projectId" && !/id$/.test(key);
  const { fields: types } = toMeta(keys, null);
  const toName = (key: string, value: string | null) => {
    if (types[key] === "number") return toNumber(value);
    return value !== null && isSlug(key) ? (slugs.get(value) ?? value) : value;
  };
  const toCell = (field: string, { group, count, numbers: sums }: LogGroup) => {
    const figure = figures.get(field);
    if (figure === undefined) return toName(field, group[keys.indexOf(field)] ?? null);
    if (figure === null) return count;
    const sum =
      sums[numbers.findIndex(({ name, isTag }) => name === figure.attribute.name && isTag === figure.attribute.isTag)];
    return sum === undefined ? null : valueOfNumbers(figure.aggregate, sum);
  };
  // Figures of all lines have one row, also if there are no lines.
  const found = groups.length === 0 && keys.length === 0 ? [{ group: [], count: 0, numbers: [] }] : groups;
  const data = found.map((group) => Object.fromEntries(fields.map((field) => [field, toCell(field, group)])));
  return answerGroups(url, { data, fields, filter, countedFrom });
}

function answerGroups(
  url: URL,
  {
    data,
    fields,
    filter,
    countedFrom,
  }: {
    data: Array<Record<string, string | number | null>>;
    fields: readonly string[];
    filter: LogFilter;
    countedFrom: number;
  },
): Response {
  const searchedFrom = countedFrom > filter.from ? toIso(countedFrom) : null;
  const link = toLinkHeader(url, { previousCursor: null, nextCursor: null });
  return answer({ data, meta: toMeta(fields, searchedFrom) }, { headers: { link } });
}

/**
 * Reads `title` as the message of the line, because tools that group errors by title ask for lines with the same word.
 * @throws a 400 answer for a field that is different in each line.
 */
function toGroupKey(field: string): LogKey {
  const tag = readNamedTag(field);
  if (tag !== null) return { name: tag.key, isTag: true };
  const own = field === "title" ? "message" : /^project[._](?:id|name)$/.test(field) ? "project" : field;
  const key = field === "timestamp_precise" ? null : toLogKey(own);
  if (key === null) throw refusal(400, `field: each line has its own ${field}, so lines are not counted by it`);
  return key;
}

async function toFilter(
  { workspace, query, now }: DatasetCall<RowsQuery | SeriesQuery>,
  time: { from: number; to: number },
): Promise<LogFilter> {
  const scope = await toProjectScope(workspace, query);
  const { where, errors, tags } = await findLogFilter(workspace, { search: query.query, scope, now });
  const [error] = errors;
  if (error !== undefined) throw refusal(400, sayRefusal(query.query, error));
  const filter = { projectIds: scope.projectIds, ...time, environments: query.environment, where };
  // Takes as much time as for the lines. Otherwise a tool with a mistyped key might get an empty list and no error.
  const unknown = await findUnknownAttributes(workspace, filter, ROWS_BUDGET_MS);
  refuseMistyped(query.query, unknown, tags);
  return filter;
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
  const tag = readNamedTag(field);
  if (tag !== null) {
    const value = readLogValue(line, tag.key);
    return tag.isNumber ? toNumber(value) : value;
  }
  const key = findField(LOG_VOCABULARY, field)?.key ?? field;
  if (key === "severity") return toLogSeverity(line.severity);
  if (key === "service") return line.service || slug;
  return key === "message" ? line.body : readLogValue(line, key);
}

function toMeta(fields: readonly string[], searchedFrom: string | null): DatasetMeta {
  const toType = (field: string) =>
    field === "timestamp"
      ? "date"
      : looksLikeFigure(field)
        ? isCount(field)
          ? "integer"
          : "number"
        : /_number$|_precise$|project.?id$/.test(field) || readNamedTag(field)?.isNumber
          ? "number"
          : "string";
  return {
    fields: Object.fromEntries(fields.map((field) => [field, toType(field)])),
    units: Object.fromEntries(fields.map((field) => [field, null])),
    searchedFrom,
  };
}
