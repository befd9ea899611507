import type { EventFilter, EventNeighbours, EventPage, EventRow } from "../events/error-events.ts";
import { encodeEventCursor, parseEventCursor } from "../events/event-cursor.ts";
import { type FactsNeighbours, findFactsEdge, findFactsNeighbours, findNeighboursOfNew } from "./count-issue-facts.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toEventConditions } from "./event-conditions.ts";
import { EVENT_SELECTION, type StoredEventRow, toEventId, toEventRow } from "./event-rows.ts";
import type { IssueFacts } from "./held-facts.ts";
import type { IdentityIndex } from "./identity-index.ts";
import type { IssueFactsCache } from "./issue-facts.ts";
import type { LargeIssues } from "./large-issues.ts";
import type { LoggedEvents } from "./logged-events.ts";
import type { RecentBatches } from "./recent-batches.ts";
import type { RecentEvents } from "./recent-events.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { toEventsOfTrace } from "./traces-of-pieces.ts";

const MAX_PAGE_EVENTS = 100;

export interface EventReading {
  database: DuckdbDatabase;
  index: IdentityIndex;
  /** Every committed event has a lower ordinal. Several queries for one answer use it as their common bound. */
  nextOrdinal: () => number;
  largeIssues: LargeIssues;
  facts: IssueFactsCache;
  recent: RecentEvents;
  recentBatches: RecentBatches;
  logged: LoggedEvents;
}

/** Reads rows, and adds them to the recent events. */
async function readRows(
  { database, recent }: EventReading,
  where: SqlConditions,
  tail = "",
): Promise<StoredEventRow[]> {
  const { generation } = recent;
  const rows = await database.read(`SELECT ${EVENT_SELECTION} FROM events WHERE ${where} ${tail}`, where.values);
  const read = rows.map(toEventRow);
  for (const row of read) recent.addRow(row, generation);
  return read;
}

/** The event with this id. If several projects have it, the newest one. */
export async function getEvent(
  reading: EventReading,
  eventId: string,
  projectIds: readonly number[],
): Promise<EventRow | null> {
  if (projectIds.length === 0) return null;
  const recent = reading.recent.getRow(eventId);
  // Within a project an id is unique. With several projects, another one may have a newer event.
  if (recent && projectIds.length === 1 && projectIds[0] === recent.event.projectId) return recent.event;
  const logged = reading.logged.find(eventId, projectIds);
  if (logged) return logged.event;
  // The batches in memory are the newest.
  const written = reading.recentBatches.find(eventId, projectIds);
  if (written) {
    reading.recent.addRow(written, reading.recent.generation);
    return written.event;
  }
  const conditions = new SqlConditions();
  conditions.addProjects(projectIds);
  return (await findById(reading, eventId, conditions))?.event ?? null;
}

export async function listEvents(
  { database, tagsUpTo }: EventReading & { tagsUpTo: () => number },
  filter: EventFilter,
  page: { cursor: string | null; limit: number; order?: "newest" | "oldest" },
): Promise<EventPage> {
  if (filter.projectIds.length === 0) return { events: [], nextCursor: null, previousCursor: null };
  const limit = Math.min(MAX_PAGE_EVENTS, Math.max(1, Math.trunc(page.limit)));
  const cursor = parseEventCursor(page.cursor);
  const isBackwards = cursor?.page === "before";
  const isDescending = ((page.order ?? "newest") === "newest") !== isBackwards;
  const conditions = toEventConditions(filter);
  if (cursor) addBeyond(conditions, cursor, isDescending ? "older" : "newer");
  const source = filter.traceId === undefined ? "events" : await toEventsOfTrace(database, filter.traceId, tagsUpTo());
  const rows = await database.read(
    `SELECT ${EVENT_SELECTION} FROM ${source} WHERE ${conditions} ${orderBy(isDescending)} LIMIT ${limit + 1}`,
    conditions.values,
  );
  const found = rows.slice(0, limit).map(toEventRow);
  const hasMore = rows.length > limit;
  if (isBackwards) found.reverse();
  return {
    events: found.map(({ event }) => event),
    nextCursor: isBackwards || hasMore ? cursorAt("after", found.at(-1)) : null,
    previousCursor: cursor && (hasMore || !isBackwards) ? cursorAt("before", found[0]) : null,
  };
}

export async function findEdge(
  reading: EventReading,
  filter: EventFilter,
  edge: "first" | "latest",
): Promise<EventRow | null> {
  if (filter.projectIds.length === 0) return null;
  const known = await reading.facts.get(filter);
  if (known !== null) {
    const ordinal = findFactsEdge(known, filter, edge);
    if (ordinal === null) return null;
    const eventId = reading.recent.getId(ordinal);
    const recent = eventId === null ? null : reading.recent.getRow(eventId);
    if (recent?.ordinal === ordinal) return recent.event;
    const written = reading.recentBatches.read(ordinal);
    if (written) {
      reading.recent.addRow(written, reading.recent.generation);
      return written.event;
    }
    const [row] = await readRows(reading, toIssueConditions(filter).addEqual("ordinal", ordinal));
    // Retention may have just deleted it. Then the query below finds the next one.
    if (row) return row.event;
  }
  const [row] = await readRows(reading, toEventConditions(filter), `${orderBy(edge === "latest")} LIMIT 1`);
  return row?.event ?? null;
}

export async function findNeighbours(
  reading: EventReading,
  filter: EventFilter,
  eventId: string,
): Promise<EventNeighbours | null> {
  if (filter.projectIds.length === 0) return null;
  const counted = await findPlace(reading, filter, eventId);
  if (!counted) return null;
  const { first, latest, previous, next, place, total } = counted;
  const ids = await eventIdsOf(reading, filter, [first, latest, previous, next]);
  const idAt = (ordinal: number | null) => (ordinal === null ? null : (ids.get(ordinal) ?? null));
  return {
    firstEventId: idAt(first) ?? eventId,
    latestEventId: idAt(latest) ?? eventId,
    previousEventId: idAt(previous),
    nextEventId: idAt(next),
    place,
    total,
  };
}

/** Null when the filter leaves the event out. */
async function findPlace(reading: EventReading, filter: EventFilter, eventId: string): Promise<FactsNeighbours | null> {
  const facts = await reading.facts.get(filter);
  const logged = reading.logged.find(eventId, filter.projectIds);
  if (logged && facts)
    return logged.event.issueId === filter.issueId ? findNeighboursOfNew(facts, filter, logged.event) : null;
  await logged?.settled;
  return facts ? findAmongFacts(reading, filter, facts, eventId) : countNeighbours(reading, filter, eventId);
}

async function findAmongFacts(
  reading: EventReading,
  filter: EventFilter,
  facts: IssueFacts,
  eventId: string,
): Promise<FactsNeighbours | null> {
  // A page that asks for the neighbours of an event has nearly always just read the event.
  const recent = reading.recent.getRow(eventId);
  const among = recent && findFactsNeighbours(facts, filter, toPlace(recent));
  if (among !== null) return among;
  const here = await findById(reading, eventId, toEventConditions(filter));
  return here && findFactsNeighbours(facts, filter, toPlace(here));
}

function toPlace({ ordinal, event }: StoredEventRow): { occurredAt: number; ordinal: number } {
  return { ordinal, occurredAt: event.occurredAt };
}

async function countNeighbours(
  reading: EventReading,
  filter: EventFilter,
  eventId: string,
): Promise<FactsNeighbours | null> {
  const here = await findById(reading, eventId, toEventConditions(filter));
  if (!here) return null;
  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  // One number per event, in the order of (occurred_at, ordinal): ordinals stay far below 2^48.
  const own = `(${conditions.bind(here.event.occurredAt)}::HUGEINT * ${PLACE_FACTOR} + ${conditions.bind(here.ordinal)})`;
  const [counted] = await reading.database.read(
    `SELECT count(*)::DOUBLE AS total,
            (count(*) FILTER (place <= ${own}))::DOUBLE AS place,
            (min(place) % ${PLACE_FACTOR})::DOUBLE AS first,
            (max(place) % ${PLACE_FACTOR})::DOUBLE AS latest,
            (max(place) FILTER (place < ${own}) % ${PLACE_FACTOR})::DOUBLE AS previous,
            (min(place) FILTER (place > ${own}) % ${PLACE_FACTOR})::DOUBLE AS next
     FROM (SELECT occurred_at::HUGEINT * ${PLACE_FACTOR} + ordinal AS place FROM events WHERE ${conditions})`,
    conditions.values,
  );
  if (!counted || Number(counted.total) === 0) return null;
  return {
    place: Number(counted.place),
    total: Number(counted.total),
    first: Number(counted.first),
    latest: Number(counted.latest),
    previous: counted.previous === null ? null : Number(counted.previous),
    next: counted.next === null ? null : Number(counted.next),
  };
}

const PLACE_FACTOR = 2 ** 48;

/** Searches segment by segment, newest first. Nearly always there is only one. */
async function findById(
  reading: EventReading,
  eventId: string,
  conditions: SqlConditions,
): Promise<StoredEventRow | null> {
  for (const { from, to } of reading.index.rangesOf(eventId)) {
    const where = conditions.clone().addRange("ordinal", from, to);
    where.add(`event_id = ${where.bind(eventId)}::UUID`);
    // Sorting them in SQL would double the time that planning takes.
    const [newest] = (await readRows(reading, where)).sort((a, b) => b.ordinal - a.ordinal);
    if (newest) return newest;
  }
  return null;
}

async function eventIdsOf(
  { database, recent, recentBatches }: EventReading,
  filter: EventFilter,
  ordinals: ReadonlyArray<number | null>,
): Promise<Map<number, string>> {
  const ids = new Map<number, string>();
  const unknown = new Set<number>();
  for (const ordinal of ordinals) {
    if (ordinal === null) continue;
    const id = recent.getId(ordinal) ?? recentBatches.read(ordinal)?.event.eventId ?? null;
    if (id === null) unknown.add(ordinal);
    else ids.set(ordinal, id);
  }
  if (unknown.size === 0) return ids;
  const conditions = toIssueConditions(filter).addOneOf("ordinal", [...unknown]);
  const rows = await database.read(
    `SELECT ordinal::DOUBLE AS ordinal, event_id::VARCHAR AS event_id FROM events WHERE ${conditions}`,
    conditions.values,
  );
  for (const row of rows) {
    const [ordinal, id] = [Number(row.ordinal), toEventId(row.event_id)];
    recent.addId(ordinal, id);
    ids.set(ordinal, id);
  }
  return ids;
}

/** Conditions for rows with known ordinals. The issue halves the rows that DuckDB reads, because rows are clustered by issue. */
function toIssueConditions({ issueId }: EventFilter): SqlConditions {
  const conditions = new SqlConditions();
  return issueId === undefined ? conditions : conditions.addEqual("issue_id", issueId);
}

function addBeyond(
  conditions: SqlConditions,
  { occurredAt, ordinal }: { occurredAt: number; ordinal: number },
  direction: "older" | "newer",
): void {
  const sign = direction === "older" ? "<" : ">";
  const at = conditions.bind(occurredAt);
  // DuckDB can compare this condition with the minimum and maximum of each row group.
  conditions.add(`occurred_at ${sign}= ${at}`);
  conditions.add(`(occurred_at ${sign} ${at} OR ordinal ${sign} ${conditions.bind(ordinal)})`);
}

function orderBy(isDescending: boolean): string {
  return isDescending ? "ORDER BY occurred_at DESC, ordinal DESC" : "ORDER BY occurred_at, ordinal";
}

function cursorAt(page: "after" | "before", row: StoredEventRow | undefined): string | null {
  return row ? encodeEventCursor({ page, occurredAt: row.event.occurredAt, ordinal: row.ordinal }) : null;
}
