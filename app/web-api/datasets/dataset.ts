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

/** Types and units by field. `searchedFrom`: where the search began if it did not reach the start of the range; null: it did. */
export interface DatasetMeta {
  fields: Record<string, string>;
  units: Record<string, string | null>;
  searchedFrom: string | null;
}

/** How many rows the figures of sampled spans are computed from, and how sure they are. */
export interface Accuracy {
  /** Rows that were kept. */
  sampleCount: number;
  /** The share of all rows that were kept, 0 to 1. Null: there are no rows. */
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
  /** The fields by which the series are grouped. Null: each figure has one series, of everything. */
  fields: readonly string[] | null;
  /** `values`: by figure, then by interval. `accuracy`: by interval; only for rows that may be sampled. */
  groups: ReadonlyArray<{
    group: ReadonlyArray<string | number | boolean | null>;
    values: number[][];
    accuracy?: readonly Accuracy[];
  }>;
  meta: DatasetMeta;
}

/** Rows of one kind, for the endpoints `events/`, `events-stats/` and `events-timeseries/`. Every method may throw 400 and 404 answers. */
export interface Dataset {
  listRows(call: DatasetCall<RowsQuery>): Promise<Response>;
  sumOverTime(call: DatasetCall<SeriesQuery>): Promise<DatasetSeries>;
  /** The type of a field. */
  checkField(field: string): "string" | "number" | "boolean";
  /** Refuses a field that no row has. Only datasets that know every key of their rows have this method. */
  checkKnown?(call: DatasetCall<RowsQuery>, fields: readonly string[]): Promise<void>;
  checkSort(sort: string, fields: readonly string[]): void;
  checkQuery(call: DatasetCall<RowsQuery>): Promise<unknown>;
}

/** Whether a field is a figure, like `count()`, and not a key. */
export function looksLikeFigure(field: string): boolean {
  return /^\w+\(.*\)$/.test(field);
}

/** @throws a 400 answer for a figure that lacks a parenthesis. Without this check it would be read as a key that no row has. */
export function requireWholeFigures(fields: readonly string[]): void {
  const broken = fields.find((field) => /[()]/.test(field) && !looksLikeFigure(field));
  if (broken === undefined) return;
  throw refusal(400, `field: "${broken.slice(0, 100)}" is not a whole figure. One is written like count()`);
}

/** The fields by which series are grouped. @throws a 400 answer if there are fields and no `topEvents`, which says how many groups are wanted. */
export function requireGroups({ field, topEvents }: SeriesQuery): string[] {
  requireWholeFigures(field);
  const fields = field.filter((each) => !looksLikeFigure(each));
  if (topEvents === undefined && fields.length > 0)
    throw refusal(400, "field: series are grouped only with topEvents, which says how many groups are wanted");
  return fields;
}

/** Whether rows can be sorted so. Groups are sorted by one of the fields, single rows by one of `ofRows`. */
export function isSortable(
  sort: string,
  { fields, ofRows }: { fields: readonly string[]; ofRows: readonly string[] },
): boolean {
  return fields.some(looksLikeFigure) ? findSorted(fields, sort) !== undefined : ofRows.includes(sort);
}

/** The figures by which series may be sorted: `count()`, those in `yAxis` and `field`, and the figure in `sort` itself. */
export function listSeriesFigures({ yAxis, field, sort = "" }: SeriesQuery): string[] {
  return ["count()", ...yAxis, ...field, sort.replace(/^-/, "")].filter(looksLikeFigure);
}

/** The field that `sort` names. Undefined: none of the fields. */
export function findSorted(fields: readonly string[], sort: string): string | undefined {
  const name = sort.replace(/^-/, "");
  // Older clients write `-count_span_duration`.
  return fields.find((field) => field === name || field.replace(/\W+/g, "_").replace(/_$/, "") === name);
}

/**
 * The attributes of senders among the fields of spans or log lines. At least one row must have them. `tags[…]` always counts as such an
 * attribute, also if its key is a name of a convention.
 */
export function listOwnAttributes(fields: readonly string[], isKnown: (field: string) => boolean): string[] {
  return fields.flatMap((field) => {
    const tag = readNamedTag(field);
    if (tag !== null) return tag.key;
    return isKnown(field) || isOfConvention(field) ? [] : field;
  });
}

/** @throws a 400 answer for the first unknown attribute that is mistyped (see `UnknownAttribute`). */
export function refuseMistypedField(unknown: readonly UnknownAttribute[]): void {
  const mistyped = unknown.find(({ isMistyped }) => isMistyped);
  if (mistyped !== undefined) throw refusal(400, `field: ${mistyped.message}`);
}

/** Null: the value is no number, which JSON cannot express as NaN. */
export function toNumber(value: string | number | null): number | null {
  const number = value === null ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
