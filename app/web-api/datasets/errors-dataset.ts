import type { Issue } from "../../domain/issue.ts";
import { ERROR_VOCABULARY, isOfItsIssue } from "../../domain/search/event-vocabulary.ts";
import { readNamedTag } from "../../domain/search/named-tag.ts";
import { findNearestKey } from "../../domain/search/nearest-key.ts";
import { findField } from "../../domain/search/search-field.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { findErrorFilter } from "../../features/events/find-error-filter.server.ts";
import { findOtherTags } from "../../features/events/find-unknown-tags.server.ts";
import { readStoredEvents } from "../../features/events/read-stored-events.server.ts";
import { toRowUser } from "../../features/events/user-words.ts";
import type { EventGroupSum, EventKey, EventRow } from "../../stores/events/error-events.ts";
import { parseEventCursor } from "../../stores/events/event-cursor.ts";
import { toSearchedEvent } from "../../stores/events/searched-event.ts";
import { answer, refusal, toIso, toLinkHeader } from "../answers.ts";
import { toBuckets } from "../get-stats.server.ts";
import { refuseCursor, requireCursor, toPlace, toProjectScope, toTimeRange } from "../query.ts";
import { sayRefusal } from "../say-refusal.ts";
import {
  type Dataset,
  type DatasetCall,
  type DatasetMeta,
  type DatasetSeries,
  findSorted,
  isSortable,
  listSeriesFigures,
  looksLikeFigure,
  type RowsQuery,
  requireGroups,
  requireWholeFigures,
  type SeriesQuery,
} from "./dataset.ts";

const DEFAULT_FIELDS = ["id", "issue", "title", "project", "timestamp", "level", "message"];
/** Fields that may be asked for besides the keys of the search. */
const OTHER_FIELDS: readonly string[] = [
  "issue_id",
  "project.id",
  "project_id",
  "event.type",
  "user.display",
  // Stock tools ask for these fields whether or not events have them. Their values are the tags that the SDK sent.
  "browser.version",
  "device.brand",
  "device.model",
  "error.handled",
  "error.mechanism",
  "geo.city",
  "geo.country_code",
  "geo.region",
  "http.method",
  "http.status_code",
  "http.url",
  "os.version",
  "runtime.version",
  "sdk.version",
  "span_id",
  "stack.abs_path",
  "stack.filename",
  "stack.function",
  "stack.lineno",
  "stack.module",
  "transaction.op",
  "user_agent.original",
];
/** Columns of the rows by the names that stock tools use and that are no keys of the search. */
const COLUMNS: Readonly<Record<string, string>> = {
  "project.id": "projectId",
  project_id: "projectId",
  issue_id: "issueId",
  "user.display": "userDisplay",
};
const MAX_KEYS = 3;
const MAX_GROUPS = 100;
const SORTS = "sort: errors are sorted by -timestamp or timestamp, groups by one of their figures, like -count()";
/** More points than a graph can show. */
const MAX_BUCKETS = 1_000;

/** Figures of groups of events: type, the order that puts the largest groups first, and how the value is read. */
const FIGURES: Readonly<
  Record<
    string,
    { type: string; largest: "events" | "users" | "issues" | "newest"; of: (sum: EventGroupSum) => number }
  >
> = {
  "count()": { type: "integer", largest: "events", of: ({ events }) => events },
  "count_unique(user)": { type: "integer", largest: "users", of: ({ users }) => users },
  "count_unique(user.id)": { type: "integer", largest: "users", of: ({ users }) => users },
  "count_unique(issue)": { type: "integer", largest: "issues", of: ({ issues }) => issues },
  "last_seen()": { type: "date", largest: "newest", of: ({ lastAt }) => lastAt },
  "max(timestamp)": { type: "date", largest: "newest", of: ({ lastAt }) => lastAt },
  "min(timestamp)": { type: "date", largest: "newest", of: ({ firstAt }) => firstAt },
};

/** Error events of all issues: single ones, newest first, or figures of groups. */
export const ERRORS_DATASET: Dataset = {
  async listRows(call) {
    const fields = call.query.field.length > 0 ? call.query.field : DEFAULT_FIELDS;
    requireWholeFigures(fields);
    await requireKnown(call, fields);
    return fields.some(looksLikeFigure) ? listGroups(call, fields) : listEvents(call, fields);
  },

  async sumOverTime(call): Promise<DatasetSeries> {
    const { workspace, query, now } = call;
    const { from, to, intervalMs, bucketCount } = toBuckets(query, now, { unitMs: MINUTE_MS, maxBuckets: MAX_BUCKETS });
    const figures = query.yAxis.map((figure) => requireFigure("yAxis", figure));
    const grouped = requireGroups(query);
    await requireKnown(call, grouped);
    const by = toGroupFields(grouped);
    const { largest } = toOrder(query.sort ?? "-count()", listSeriesFigures(query));
    const { filter, searchedFrom } = await toFilter(call, { from, to });
    const sums = await workspace.events.sumEvents(
      // Begins where the search is bounded, moved back to the start of that interval.
      { ...filter, from: from + Math.floor((filter.from - from) / intervalMs) * intervalMs },
      { by: toKeys(by), bucketMs: intervalMs, limit: query.topEvents ?? 1, largest },
    );
    const toZeros = () => figures.map(() => new Array<number>(bucketCount).fill(0));
    const groups = new Map<string, { group: EventGroupSum["group"]; values: number[][] }>();
    if (query.topEvents === undefined) groups.set("[]", { group: [], values: toZeros() });
    for (const sum of sums) {
      const name = JSON.stringify(sum.group);
      const group = groups.get(name) ?? { group: sum.group, values: toZeros() };
      groups.set(name, group);
      const index = Math.floor(((sum.at ?? from) - from) / intervalMs);
      for (const [place, figure] of figures.entries()) (group.values[place] as number[])[index] = figure.of(sum);
    }
    const named = await nameGroups(call, by, [...groups.values()]);
    return {
      from,
      to,
      intervalMs,
      figures: query.yAxis,
      fields: query.topEvents === undefined ? null : by.map(({ field }) => field),
      groups: named,
      meta: toMeta(query.yAxis, searchedFrom),
    };
  },

  checkField(field) {
    requireWholeFigures([field]);
    if (looksLikeFigure(field)) requireFigure("field", field);
    return toMeta([field], null).fields[field] === "integer" ? "number" : "string";
  },
  checkKnown: requireKnown,
  checkSort(sort, fields) {
    if (!isSortable(sort, { fields, ofRows: ["-timestamp", "timestamp"] })) throw refusal(400, SORTS);
  },
  checkQuery: (call) => toFilter(call, toTimeRange(call.query, { now: call.now, fallbackMs: DAY_MS })),
};

/** @throws a 400 answer for a field that errors do not have and that no event has as a tag. */
async function requireKnown(
  { workspace, query }: DatasetCall<RowsQuery | SeriesQuery>,
  fields: readonly string[],
): Promise<void> {
  const { projectIds } = await toProjectScope(workspace, query);
  const isKnown = (field: string) =>
    looksLikeFigure(field) || findField(ERROR_VOCABULARY, field) !== undefined || OTHER_FIELDS.includes(field);
  for (const field of fields) {
    const key = readNamedTag(field)?.key ?? field;
    const tags = isKnown(field) ? null : await findOtherTags(workspace, { key, projectIds });
    if (tags === null) continue;
    const keys = ERROR_VOCABULARY.fields.flatMap(({ key, aliases = [] }) => [key, ...aliases]);
    const nearest = findNearestKey(key, [...keys, ...OTHER_FIELDS, ...tags]);
    const hint = nearest === null ? "" : ` The nearest is “${nearest}”.`;
    throw refusal(400, `field: “${field.slice(0, 100)}” is no field of errors, and no event has such a tag.${hint}`);
  }
}

async function toFilter(
  { workspace, query, now }: DatasetCall<RowsQuery | SeriesQuery>,
  { from, to }: { from: number; to: number },
) {
  const scope = await toProjectScope(workspace, query);
  const question = { search: query.query, scope, from, to, environments: query.environment, now };
  const found = await findErrorFilter(workspace, question);
  const [error] = found.errors;
  if (error !== undefined) throw refusal(400, sayRefusal(query.query, error));
  return found;
}

async function listEvents(call: DatasetCall<RowsQuery>, fields: readonly string[]): Promise<Response> {
  const { workspace, query, url, now } = call;
  if (query.sort !== undefined && query.sort !== "-timestamp" && query.sort !== "timestamp") throw refusal(400, SORTS);
  const place = toPlace(query);
  requireCursor(place.cursor, parseEventCursor);
  const order = query.sort === "timestamp" ? "oldest" : "newest";
  const { filter, searchedFrom } = await toFilter(call, toTimeRange(query, { now, fallbackMs: DAY_MS }));
  const page = await readStoredEvents(
    workspace,
    () => workspace.events.listEvents(filter, { ...place, order }),
    ({ events }) => events.length === 0,
  );
  const [issues, slugs] = await Promise.all([
    listIssues(
      call,
      page.events.map(({ issueId }) => issueId),
    ),
    listSlugs(call),
  ]);
  const data = page.events.map((row) =>
    Object.fromEntries(fields.map((field) => [field, toValue(field, row, issues.get(row.issueId), slugs)])),
  );
  return answer({ data, meta: toMeta(fields, searchedFrom) }, { headers: { link: toLinkHeader(url, page) } });
}

async function listGroups(call: DatasetCall<RowsQuery>, fields: readonly string[]): Promise<Response> {
  const { workspace, query, url, now } = call;
  refuseCursor(query);
  const figures = fields.filter(looksLikeFigure);
  const known = figures.map((figure) => requireFigure("field", figure));
  const by = toGroupFields(fields.filter((field) => !looksLikeFigure(field)));
  const { largest } = toOrder(query.sort ?? `-${figures[0]}`, figures);
  const { filter, searchedFrom } = await toFilter(call, toTimeRange(query, { now, fallbackMs: DAY_MS }));
  const sums = await workspace.events.sumEvents(filter, { by: toKeys(by), bucketMs: null, limit: MAX_GROUPS, largest });
  const isNothing = sums.length === 0 && by.length === 0;
  const groups = await nameGroups(call, by, isNothing ? [NOTHING] : sums);
  const data = groups.slice(0, toPlace(query).limit).map((sum) =>
    Object.fromEntries([
      ...by.map(({ field }, index) => [field, toNumber(field, sum.group[index] ?? null)]),
      ...figures.map((figure, index) => {
        const { type, of } = known[index] as (typeof known)[number];
        return [figure, type === "date" ? (isNothing ? null : toIso(of(sum))) : of(sum)];
      }),
    ]),
  );
  const link = toLinkHeader(url, { previousCursor: null, nextCursor: null });
  return answer({ data, meta: toMeta(fields, searchedFrom) }, { headers: { link } });
}

/** The figure by which groups are sorted, the largest first. @throws a 400 answer for another sort. */
function toOrder(sort: string, figures: readonly string[]) {
  const sorted = sort.startsWith("-") ? findSorted(figures, sort) : undefined;
  if (sorted === undefined) throw refusal(400, `sort: groups are sorted by one of their figures, like -${figures[0]}`);
  return requireFigure("sort", sorted);
}

/** The figures of a search that found nothing. */
const NOTHING: EventGroupSum = { group: [], at: null, events: 0, users: 0, issues: 0, firstAt: 0, lastAt: 0 };

function requireFigure(parameter: string, figure: string) {
  const found = Object.hasOwn(FIGURES, figure) ? FIGURES[figure] : undefined;
  if (found !== undefined) return found;
  const list = Object.keys(FIGURES).join(", ");
  throw refusal(400, `${parameter}: "${figure.slice(0, 100)}" is not supported. There are ${list}`);
}

interface GroupField {
  field: string;
  /** Null: the value is the same for all events. */
  key: EventKey | null;
}

function toGroupFields(fields: readonly string[]): GroupField[] {
  if (fields.length > MAX_KEYS) throw refusal(400, `field: figures are grouped by at most ${MAX_KEYS} fields`);
  return fields.map((field) => {
    const tag = readNamedTag(field)?.key ?? null;
    if (tag !== null) return { field, key: { name: tag, isTag: true } };
    if (field === "event.type") return { field, key: null };
    const column = COLUMNS[field];
    if (column !== undefined) return { field, key: { name: column, isTag: false } };
    const known = findField(ERROR_VOCABULARY, field);
    const name = known?.fields[0] ?? field;
    if (name === "project") return { field, key: { name: "projectId", isTag: false } };
    if (name === "issue") return { field, key: { name: "issueId", isTag: false } };
    const key = { name, isTag: known === undefined || known.isTag === true };
    if (isOfItsIssue({ field: name, isTag: key.isTag }))
      throw refusal(400, `field: errors are not grouped by ${field}. Group them by issue or title`);
    return { field, key };
  });
}

function toKeys(by: readonly GroupField[]): EventKey[] {
  return by.flatMap(({ key }) => key ?? []);
}

/** Gives each field its value. Projects and issues appear with their slug and short id, or with their numbers if the field asks for those. */
async function nameGroups<Group extends { group: EventGroupSum["group"] }>(
  call: DatasetCall<RowsQuery | SeriesQuery>,
  by: readonly GroupField[],
  groups: readonly Group[],
): Promise<Array<Omit<Group, "group"> & { group: Array<string | null> }>> {
  const issueAt = toKeys(by).findIndex(({ name, isTag }) => name === "issueId" && !isTag);
  const [issues, slugs] = await Promise.all([
    issueAt < 0
      ? null
      : listIssues(
          call,
          groups.map(({ group }) => Number(group[issueAt])),
        ),
    listSlugs(call),
  ]);
  const toName = ({ field, key }: GroupField, value: string | null) => {
    if (key === null || key.isTag || value === null || isNumber(field)) return value;
    if (key.name === "issueId") return issues?.get(Number(value))?.shortId ?? value;
    return key.name === "projectId" ? (slugs.get(Number(value)) ?? value) : value;
  };
  return groups.map((each) => {
    const values = each.group.values();
    const group = by.map((field) => (field.key === null ? "error" : toName(field, values.next().value ?? null)));
    return { ...each, group };
  });
}

function toNumber(field: string, value: string | null): string | number | null {
  return isNumber(field) && value !== null ? Number(value) : value;
}

/** Whether the value of the field is the number of an issue or of a project. */
function isNumber(field: string): boolean {
  return /^(?:issue|project|group)[._]id$/.test(field);
}

async function listIssues({ workspace }: { workspace: DatasetCall<unknown>["workspace"] }, ids: readonly number[]) {
  const issues = await workspace.state.issues.getIssues(workspace.scope, [...new Set(ids)]);
  return new Map(issues.map((issue) => [issue.id, issue]));
}

async function listSlugs({ workspace }: { workspace: DatasetCall<unknown>["workspace"] }) {
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  return new Map(projects.map(({ id, slug }) => [id, slug]));
}

function toValue(
  field: string,
  row: EventRow,
  issue: Issue | undefined,
  slugs: ReadonlyMap<number, string>,
): string | number | null {
  switch (field) {
    case "id":
      return row.eventId;
    case "timestamp":
      return toIso(row.occurredAt);
    case "issue":
      return issue?.shortId ?? null;
    case "issue.id":
    case "issue_id":
      return row.issueId;
    case "project":
    case "project.name":
      return slugs.get(row.projectId) ?? null;
    case "project.id":
    case "project_id":
      return row.projectId;
    case "message":
      return row.title;
    case "error.type":
      return issue?.type ?? null;
    case "error.value":
      return issue?.value ?? null;
    case "culprit":
      return issue?.culprit ?? row.transaction;
    case "event.type":
      return "error";
    case "user.display":
      return toRowUser(row).words;
  }
  const known = findField(ERROR_VOCABULARY, field);
  const searched = toSearchedEvent(row);
  const tag = readNamedTag(field)?.key ?? null;
  if (tag !== null) return searched.tag(tag);
  if (known === undefined || known.isTag) return searched.tag(known?.fields[0] ?? field);
  const value = searched.field(known.fields[0] as string);
  const [prefix, ...others] = known.prefixes ?? [];
  if (prefix === undefined || others.length > 0) return value;
  const text = String(value ?? "");
  return text.startsWith(`${prefix}:`) ? text.slice(prefix.length + 1) : null;
}

function toMeta(fields: readonly string[], searchedFrom: number | null): DatasetMeta {
  const toType = (field: string) =>
    FIGURES[field]?.type ?? (field === "timestamp" ? "date" : isNumber(field) ? "integer" : "string");
  return {
    fields: Object.fromEntries(fields.map((field) => [field, toType(field)])),
    units: Object.fromEntries(fields.map((field) => [field, null])),
    searchedFrom: searchedFrom === null ? null : toIso(searchedFrom),
  };
}
