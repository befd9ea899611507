import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { isOfConvention } from "../../domain/search/conventions.ts";
import { readNamedTag } from "../../domain/search/named-tag.ts";
import type { UnknownAttribute } from "../../domain/search/unknown-attribute.ts";
import { refusal } from "../answers.ts";
import { ENVIRONMENTS, LINES_PAGING, list, PROJECTS, period, TIME_RANGE } from "../query.ts";

/** More fields than a table can show. */
const MAX_FIELDS = 20;

const fields = z.array(z.string().min(1).max(200)).max(MAX_FIELDS, `at most ${MAX_FIELDS}`);
const search = { query: z.string().default("").describe("In the language of docs/search.md") };

export const ROWS_QUERY = z.object({
  dataset: z.string().default("errors").describe("`errors`, `spans`, `transactions` or `logs`"),
  field: fields
    .default([])
    .describe("Repeatable. With a figure like `p95(span.duration)`, the others are what it is grouped by"),
  sort: z.string().optional().describe("A field, with `-` before it for the largest first"),
  ...search,
  ...PROJECTS,
  ...ENVIRONMENTS,
  ...TIME_RANGE,
  ...LINES_PAGING,
  per_page: LINES_PAGING.per_page.describe("At most 100, and of log lines 1,000"),
});
export type RowsQuery = z.output<typeof ROWS_QUERY>;

export const SERIES_QUERY = z.object({
  dataset: z.string().default("errors").describe("`errors`, `spans`, `transactions` or `logs`"),
  yAxis: fields.default(["count()"]).describe("A figure, like `count()`; repeatable"),
  field: fields.default([]).describe("What is grouped by. It needs `topEvents`; figures in it are left out"),
  topEvents: z.coerce
    .number("must be a whole number from 1 to 10")
    .int("must be a whole number from 1 to 10")
    .min(1, "must be a whole number from 1 to 10")
    .max(10, "must be a whole number from 1 to 10")
    .optional()
    .describe("A series for each of so many groups"),
  sort: z
    .string()
    .optional()
    .describe("Which groups come first: a figure, or of spans a field that is grouped by; by default `-count()`"),
  interval: period.optional().describe("Like `5m` or `1h`; rounded up to whole minutes"),
  project: list.describe("Number or slug, repeatable; -1 for all"),
  ...search,
  ...ENVIRONMENTS,
  ...TIME_RANGE,
});
export type SeriesQuery = z.output<typeof SERIES_QUERY>;

export interface DatasetCall<Query> {
  workspace: Workspace;
  query: Query;
  url: URL;
  /** Milliseconds since 1970. */
  now: number;
}

/** Types and units of fields, and how far back was searched. */
export interface DatasetMeta {
  fields: Record<string, string>;
  units: Record<string, string | null>;
  searchedFrom: string | null;
}

/** What figures of sampled spans rest on. */
export interface Accuracy {
  /** Rows that were kept. */
  sampleCount: number;
  /** Share of all that these are, 0 to 1; null: there are none. */
  samplingRate: number | null;
  confidence: "high" | "low" | null;
}

/** Figures over time. */
export interface DatasetSeries {
  /** Milliseconds since 1970; the end is exclusive. */
  from: number;
  to: number;
  intervalMs: number;
  figures: readonly string[];
  /** What is grouped by; null: there is one series of each figure, of everything. */
  fields: readonly string[] | null;
  /** `values` by figure, then by interval; `accuracy` by interval, of rows that may be sampled. */
  groups: ReadonlyArray<{
    group: ReadonlyArray<string | number | boolean | null>;
    values: number[][];
    accuracy?: readonly Accuracy[];
  }>;
  meta: DatasetMeta;
}

/** Rows of one kind, as `events/`, `events-stats/` and `events-timeseries/` search them. All throw answers of 400 and 404. */
export interface Dataset {
  listRows(call: DatasetCall<RowsQuery>): Promise<Response>;
  sumOverTime(call: DatasetCall<SeriesQuery>): Promise<DatasetSeries>;
  /** Of what type a field of rows is. */
  checkField(field: string): "string" | "number" | "boolean";
  /** Of a dataset that knows every key of its rows: refuses one that none of them has. */
  checkKnown?(call: DatasetCall<RowsQuery>, fields: readonly string[]): Promise<void>;
  checkSort(sort: string, fields: readonly string[]): void;
  checkQuery(call: DatasetCall<RowsQuery>): Promise<unknown>;
}

/** Whether a field is a figure, like `count()`, rather than a key. */
export function looksLikeFigure(field: string): boolean {
  return /^\w+\(.*\)$/.test(field);
}

/** @throws a 400 answer for a figure with half of its parentheses: read as a key, it would be one that no row has. */
export function requireWholeFigures(fields: readonly string[]): void {
  const broken = fields.find((field) => /[()]/.test(field) && !looksLikeFigure(field));
  if (broken === undefined) return;
  throw refusal(400, `field: "${broken.slice(0, 100)}" is not a whole figure. One is written like count()`);
}

/** What series are grouped by. @throws a 400 answer without `topEvents`: there would be one series, of everything. */
export function requireGroups({ field, topEvents }: SeriesQuery): string[] {
  requireWholeFigures(field);
  const fields = field.filter((each) => !looksLikeFigure(each));
  if (topEvents === undefined && fields.length > 0)
    throw refusal(400, "field: series are grouped only with topEvents, which says how many groups are wanted");
  return fields;
}

/** Groups are sorted by one of the fields, single rows by what the dataset sorts them by. */
export function isSortable(
  sort: string,
  { fields, ofRows }: { fields: readonly string[]; ofRows: readonly string[] },
): boolean {
  return fields.some(looksLikeFigure) ? findSorted(fields, sort) !== undefined : ofRows.includes(sort);
}

/** The figures that `sort` may name in a query for series: `count()`, those of `yAxis` and `field`, and the one in `sort` itself. */
export function listSeriesFigures({ yAxis, field, sort = "" }: SeriesQuery): string[] {
  return ["count()", ...yAxis, ...field, sort.replace(/^-/, "")].filter(looksLikeFigure);
}

/** The one of the fields that `sort` names. */
export function findSorted(fields: readonly string[], sort: string): string | undefined {
  const name = sort.replace(/^-/, "");
  // Older clients write `-count_span_duration`.
  return fields.find((field) => field === name || field.replace(/\W+/g, "_").replace(/_$/, "") === name);
}

/** Attributes among the fields of spans or lines that some row must have. Those in `tags[…]` are no names of a convention. */
export function listOwnAttributes(fields: readonly string[], isKnown: (field: string) => boolean): string[] {
  return fields.flatMap((field) => {
    const tag = readNamedTag(field);
    if (tag !== null) return tag.key;
    return isKnown(field) || isOfConvention(field) ? [] : field;
  });
}

/** @throws a 400 answer for the first that is not just rare. */
export function refuseMistypedField(unknown: readonly UnknownAttribute[]): void {
  const mistyped = unknown.find(({ isMistyped }) => isMistyped);
  if (mistyped !== undefined) throw refusal(400, `field: ${mistyped.message}`);
}

/** Null for a value that is no number: JSON has no NaN. */
export function toNumber(value: string | number | null): number | null {
  const number = value === null ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
