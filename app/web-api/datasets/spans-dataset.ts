import { MAX_NUMBERS } from "../../domain/number-sum.ts";
import { readNamedTag } from "../../domain/search/named-tag.ts";
import { findField } from "../../domain/search/search-field.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import {
  listNumberAttributes,
  readSpanFigure,
  type SpanFigure,
  unitOfSpanFigure,
  valueOfFigure,
} from "../../domain/spans/span-figure.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import { findUnseenAttributes, planSpanSearch, toSpanKey } from "../../features/explore/plan-span-search.server.ts";
import {
  type SpanSumQuestion,
  type SpanSumRow,
  sumSpans,
  sumSpansOverTime,
} from "../../features/explore/sum-spans.server.ts";
import { nameServiceKeys } from "../../features/projects/name-service-keys.server.ts";
import { parseSpanCursor } from "../../stores/events/span-cursor.ts";
import type { FoundSpan, SpanKey, SpanSearchFilter } from "../../stores/events/span-search.ts";
import { answer, refusal, toIso, toLinkHeader } from "../answers.ts";
import { toBuckets } from "../get-stats.server.ts";
import { refuseCursor, requireCursor, toPlace, toProjectScope, toTimeRange } from "../query.ts";
import { refuseMistyped, sayRefusal } from "../say-refusal.ts";
import {
  type Accuracy,
  type Dataset,
  type DatasetCall,
  type DatasetMeta,
  type DatasetSeries,
  findSorted,
  isSortable,
  listOwnAttributes,
  listSeriesFigures,
  looksLikeFigure,
  type RowsQuery,
  refuseMistypedField,
  requireGroups,
  requireWholeFigures,
  type SeriesQuery,
  toNumber,
} from "./dataset.ts";

/** More points than a graph can show. */
const MAX_BUCKETS = 1_000;
const DEFAULT_FIELDS = [
  "id",
  "trace",
  "span.op",
  "span.description",
  "span.duration",
  "transaction",
  "project",
  "timestamp",
];
const MAX_KEYS = 3;
const SORTS = "sort: spans are sorted by -timestamp or -span.duration, groups by one of their fields";

export const SPANS_DATASET: Dataset = createSpansDataset("");
export const TRANSACTIONS_DATASET: Dataset = createSpansDataset("is_segment:true");

/** @param always a search that is added to every query */
function createSpansDataset(always: string): Dataset {
  return {
    async listRows(call) {
      const fields = call.query.field.length > 0 ? call.query.field : DEFAULT_FIELDS;
      requireWholeFigures(fields);
      await requireKnown(call, fields);
      const range = toTimeRange(call.query, { now: call.now, fallbackMs: DAY_MS });
      const filter = await toFilter(call, range, always);
      return fields.some(looksLikeFigure) ? listGroups(call, filter, fields) : listSamples(call, filter, fields);
    },
    sumOverTime: (call) => sumOverTime(call, always),
    checkField(field) {
      requireWholeFigures([field]);
      if (looksLikeFigure(field)) requireFigure("field", field);
      else requireKey("field", field, toReadKey(field));
      const type = toType(field);
      if (type === "boolean") return "boolean";
      return type === "string" || type === "date" ? "string" : "number";
    },
    checkKnown: requireKnown,
    checkSort(sort, fields) {
      if (!isSortable(sort, { fields, ofRows: ["-timestamp", "-span.duration"] })) throw refusal(400, SORTS);
    },
    checkQuery: (call) => toFilter(call, toTimeRange(call.query, { now: call.now, fallbackMs: DAY_MS }), always),
  };
}

async function toFilter(
  { workspace, query, now }: DatasetCall<RowsQuery | SeriesQuery>,
  { from, to }: { from: number; to: number },
  always: string,
): Promise<SpanSearchFilter> {
  const { projectIds } = await toProjectScope(workspace, query);
  const question = { projectIds, environments: query.environment, from, to, now };
  const plan = await planSpanSearch(workspace, { ...question, search: query.query });
  const [problem] = plan.problems;
  if (problem !== undefined) throw refusal(400, sayRefusal(query.query, problem));
  refuseMistyped(query.query, plan.unseen, plan.tags);
  if (always === "") return plan.filter;
  const { filter } = await planSpanSearch(workspace, { ...question, search: always });
  return { ...plan.filter, where: { kind: "all", parts: [filter.where, plan.filter.where] } };
}

/** @throws a 400 answer for an attribute that no span has. */
async function requireKnown(
  { workspace, query, now }: DatasetCall<RowsQuery | SeriesQuery>,
  fields: readonly string[],
  range = toTimeRange(query, { now, fallbackMs: DAY_MS }),
): Promise<void> {
  const keys = fields.flatMap((field) =>
    looksLikeFigure(field) ? (readFigure(field)?.figure.attribute ?? []) : field,
  );
  const attributes = listOwnAttributes(keys, (field) => toKey(field)?.isTag !== true);
  if (attributes.length === 0) return;
  const { projectIds } = await toProjectScope(workspace, query);
  refuseMistypedField(await findUnseenAttributes(workspace, { projectIds, ...range }, attributes));
}

async function listSamples(
  { workspace, query, url }: DatasetCall<RowsQuery>,
  filter: SpanSearchFilter,
  fields: readonly string[],
): Promise<Response> {
  const sort = query.sort ?? "-timestamp";
  const order = sort === "-timestamp" ? "newest" : sort === "-span.duration" ? "slowest" : null;
  if (order === null) throw refusal(400, SORTS);
  const place = toPlace(query);
  requireCursor(place.cursor, parseSpanCursor);
  const asked = fields.map((field) => requireKey("field", field, toReadKey(field)));
  const keys = await nameServiceKeys(workspace, filter.projectIds, asked);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const found = await workspace.events.findSpans(filter, { ...place, order, keys });
  const data = found.spans.map((span) =>
    Object.fromEntries(fields.map((field, index) => [field, toValue(field, span, span.values[index] ?? null, slugs)])),
  );
  return answerRows({ url, data, fields, ...found });
}

async function listGroups(
  { workspace, query, url }: DatasetCall<RowsQuery>,
  filter: SpanSearchFilter,
  fields: readonly string[],
): Promise<Response> {
  refuseCursor(query);
  const figures = fields.filter(looksLikeFigure);
  const known = figures.map((figure) => requireFigure("field", figure));
  const spanFigures = known.map(({ figure }) => figure);
  const by = toGroupKeys(fields.filter((field) => !looksLikeFigure(field)));
  const sort = toSort(query.sort ?? `-${figures[0]}`, by, figures);
  const { limit } = toPlace(query);
  const sums = await sumSpans(workspace, filter, toQuestion(by, { figures: spanFigures, limit, sort }));
  const shown = sums.rows.length === 0 && by.length === 0 ? [sumNothing(spanFigures)] : sums.rows;
  const ids = await listProjectIds(workspace);
  const data = shown.map((row) =>
    Object.fromEntries([
      ...by.map(({ field }, index) => [field, toGroupValue(field, row.group[index] ?? null, ids)]),
      ...figures.map((figure, index) => [
        figure,
        toFigure(known[index], row.values[index] ?? null, filter.to - filter.from),
      ]),
    ]),
  );
  const ofFigures = (value: (accuracy: Accuracy) => unknown) =>
    shown.map((row) => Object.fromEntries(figures.map((figure) => [figure, value(toAccuracy(row))])));
  const accuracy = {
    sampleCount: ofFigures(({ sampleCount }) => sampleCount),
    samplingRate: ofFigures(({ samplingRate }) => samplingRate),
    confidence: ofFigures(({ confidence }) => confidence),
  };
  return answerRows({ url, data, fields, nextCursor: null, searchedFrom: sums.searchedFrom, accuracy });
}

/** @throws a 400 answer if the sort is by something that the answer does not show. */
function toSort(
  sort: string,
  by: ReadonlyArray<{ field: string }>,
  figures: readonly string[],
): NonNullable<SpanSumQuestion["sort"]> {
  const isDescending = sort.startsWith("-");
  const keys = by.map(({ field }) => field);
  const sorted = findSorted([...figures, ...keys], sort);
  if (sorted === undefined) throw refusal(400, `sort: must be one of the fields, like -${figures[0]}`);
  return { of: looksLikeFigure(sorted) ? requireFigure("sort", sorted).figure : keys.indexOf(sorted), isDescending };
}

async function sumOverTime(call: DatasetCall<SeriesQuery>, always: string): Promise<DatasetSeries> {
  const { workspace, query, now } = call;
  const { from, to, intervalMs, bucketCount } = toBuckets(query, now, { unitMs: MINUTE_MS, maxBuckets: MAX_BUCKETS });
  const figures = query.yAxis.map((figure) => requireFigure("yAxis", figure));
  const grouped = requireGroups(query);
  await requireKnown(call, [...grouped, ...query.yAxis], { from, to });
  const filter = await toFilter(call, { from, to }, always);
  const by = toGroupKeys(grouped);
  const { series } = await sumSpansOverTime(workspace, filter, {
    ...toQuestion(by, {
      figures: figures.map(({ figure }) => figure),
      limit: query.topEvents ?? 1,
      sort: toSort(query.sort ?? "-count()", by, listSeriesFigures(query)),
    }),
    bucketMs: intervalMs,
  });
  const toValues = (buckets: ReadonlyArray<SpanSumRow | null>) =>
    figures.map((figure, index) =>
      Array.from(
        { length: bucketCount },
        (_, at) => toFigure(figure, buckets[at]?.values[index] ?? null, intervalMs) ?? 0,
      ),
    );
  const toAccuracies = (buckets: ReadonlyArray<SpanSumRow | null>) =>
    Array.from({ length: bucketCount }, (_, at) => toAccuracy(buckets[at] ?? null));
  const ids = await listProjectIds(workspace);
  const groups = series.groups.map(({ group, buckets }) => ({
    group: by.map(({ field }, index) => toGroupValue(field, group[index] ?? null, ids)),
    values: toValues(buckets),
    accuracy: toAccuracies(buckets),
  }));
  const isGrouped = query.topEvents !== undefined;
  return {
    from,
    to,
    intervalMs,
    figures: query.yAxis,
    fields: isGrouped ? by.map(({ field }) => field) : null,
    groups: groups.length > 0 || isGrouped ? groups : [{ group: [], values: toValues([]), accuracy: toAccuracies([]) }],
    meta: toMeta(query.yAxis, series.searchedFrom),
  };
}

/** @throws a 400 answer if the figures need more than `MAX_NUMBERS` attributes. */
function toQuestion(by: ReadonlyArray<{ key: SpanKey }>, question: Omit<SpanSumQuestion, "by">): SpanSumQuestion {
  const sorted = question.sort?.of;
  const attributes = listNumberAttributes([...question.figures, ...(typeof sorted === "object" ? [sorted] : [])]);
  if (attributes.length > MAX_NUMBERS)
    throw refusal(400, `field: figures are of at most ${MAX_NUMBERS} attributes besides span.duration`);
  return { ...question, by: by.map(({ key }) => key) };
}

interface Figure {
  figure: SpanFigure;
  /** The length of the unit for rates, in milliseconds. Null: the figure is no rate. */
  perMs: number | null;
}

/** Rates per minute or second: tools ask so for events, spans or transactions. */
const RATE = /^[est]p([ms])\(\)$/;

function readFigure(figure: string): Figure | null {
  const [, unit] = RATE.exec(figure) ?? [];
  const text = unit === undefined ? figure : "count()";
  const perMs = unit === undefined ? null : unit === "m" ? MINUTE_MS : SECOND_MS;
  const read = readSpanFigure(text);
  return read && { figure: read, perMs };
}

function requireFigure(parameter: string, text: string): Figure {
  const figure = readFigure(text);
  if (figure !== null) return figure;
  const list =
    "count(), epm(), eps(), failure_count(), failure_rate(), and avg, sum, min, max, p50, p75, p90, p95, p99 of span.duration or an attribute";
  throw refusal(400, `${parameter}: "${text.slice(0, 100)}" is not supported. There are ${list}`);
}

function toGroupKeys(fields: readonly string[]): Array<{ field: string; key: SpanKey }> {
  requireWholeFigures(fields);
  if (fields.length > MAX_KEYS) throw refusal(400, `field: figures are grouped by at most ${MAX_KEYS} fields`);
  return fields.map((field) => ({ field, key: requireKey("field", field, toKey(field)) }));
}

function requireKey(parameter: string, field: string, key: SpanKey | null): SpanKey {
  if (key === null) throw refusal(400, `${parameter}: "${field.slice(0, 100)}" cannot be read`);
  return key;
}

function toOwnName(field: string): string {
  // Tools that group errors by title ask for spans with the same word.
  if (field === "title") return "span.group";
  return field === "project.name" || field === "project_id" || field === "project.id" ? "project" : field;
}

function toKey(field: string): SpanKey | null {
  return toSpanKey(toOwnName(field));
}

/** The key for single spans, whose names are shown as they were sent. */
function toReadKey(field: string): SpanKey | null {
  const key = toKey(field);
  const isGroup = field !== "title" && findField(SPAN_VOCABULARY, field)?.key === "span.group";
  return key !== null && !key.isTag && key.name === "nameGroup" && !isGroup ? { ...key, name: "name" } : key;
}

function toValue(
  field: string,
  span: FoundSpan,
  value: string | null,
  slugs: ReadonlyMap<number, string>,
): string | number | boolean | null {
  if (field === "timestamp") return toIso(Math.floor(span.startedUs / 1000));
  if (isProjectId(field)) return span.projectId;
  if (field === "project" || field === "project.name") return slugs.get(span.projectId) ?? null;
  return toTyped(field, value);
}

/** Ids of projects by slug. */
async function listProjectIds({ state, scope }: DatasetCall<unknown>["workspace"]): Promise<Map<string, number>> {
  const projects = await state.projects.listProjects(scope);
  return new Map(projects.map(({ id, slug }) => [slug, id]));
}

/** The value of a field of a group, of the same type as `toValue` gives for a single span. `ids`: projects by slug. */
function toGroupValue(
  field: string,
  value: string | null,
  ids: ReadonlyMap<string, number>,
): string | number | boolean | null {
  return isProjectId(field) ? (ids.get(value ?? "") ?? null) : toTyped(field, value);
}

function isProjectId(field: string): boolean {
  return field === "project.id" || field === "project_id";
}

function toTyped(field: string, value: string | null): string | number | boolean | null {
  if (value === null) return toMissing(field);
  if (readNamedTag(field)?.isNumber) return toNumber(value);
  switch (findField(SPAN_VOCABULARY, field)?.type) {
    case "number":
    case "duration":
      return Number(value);
    case "boolean":
      return value === "1" || value === "true";
    case "time":
      return toIso(Math.floor(Number(value)));
    default:
      return value;
  }
}

/** The figures of a search that found nothing: counts are 0, all others null. */
function sumNothing(figures: readonly SpanFigure[]): SpanSumRow {
  const none = { weight: 0, failedWeight: 0, totalUs: 0, durations: [] };
  const values = figures.map((figure) => valueOfFigure(figure, none, undefined));
  return { group: [], values, spans: 0, weight: 0, isUnsure: false };
}

/**
 * The value of a field that a span does not have. A transaction without a name is an empty text: stock tools refuse the whole list if it is
 * null.
 */
function toMissing(field: string): "" | null {
  return findField(SPAN_VOCABULARY, field)?.key === "transaction" ? "" : null;
}

function toAccuracy(row: SpanSumRow | null): Accuracy {
  if (row === null || row.weight <= 0) return { sampleCount: 0, samplingRate: null, confidence: null };
  const { spans, weight, isUnsure } = row;
  return {
    sampleCount: spans,
    samplingRate: Math.min(1, spans / weight),
    confidence: isUnsure ? "low" : "high",
  };
}

/** Converts durations from microseconds to milliseconds, and counts to rates. `ofMs`: the length of the range, in milliseconds. */
function toFigure(figure: Figure | undefined, value: number | null, ofMs: number): number | null {
  if (value === null || figure === undefined) return value;
  if (figure.perMs !== null) return (value * figure.perMs) / ofMs;
  return unitOfSpanFigure(figure.figure) === "duration" ? value / 1000 : value;
}

function answerRows(page: {
  url: URL;
  data: readonly unknown[];
  fields: readonly string[];
  nextCursor: string | null;
  searchedFrom: number | null;
  accuracy?: object;
}): Response {
  const link = toLinkHeader(page.url, { previousCursor: null, nextCursor: page.nextCursor });
  const { accuracy } = page;
  const meta = { ...toMeta(page.fields, page.searchedFrom), ...(accuracy && { accuracy }) };
  return answer({ data: page.data, meta }, { headers: { link } });
}

function toMeta(fields: readonly string[], searchedFrom: number | null): DatasetMeta {
  const typed = fields.map((field) => ({ field, type: toType(field) }));
  return {
    fields: Object.fromEntries(typed.map(({ field, type }) => [field, type])),
    units: Object.fromEntries(typed.map(({ field, type }) => [field, type === "duration" ? "millisecond" : null])),
    searchedFrom: searchedFrom === null ? null : toIso(searchedFrom),
  };
}

const TYPES = { count: "integer", rate: "percentage", duration: "duration", number: "number" } as const;

function toType(field: string): string {
  const figure = readFigure(field);
  if (figure !== null && figure.perMs !== null) return "rate";
  if (figure !== null) return TYPES[unitOfSpanFigure(figure.figure)];
  if (field === "timestamp") return "date";
  if (isProjectId(field)) return "integer";
  if (readNamedTag(field)?.isNumber) return "number";
  const type = findField(SPAN_VOCABULARY, field)?.type;
  return type === "duration" || type === "number" || type === "boolean" ? type : "string";
}
