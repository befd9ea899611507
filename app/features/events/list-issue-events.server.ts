import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { Level } from "../../domain/level.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import { readIssuePageFilter } from "../issues/issue-page-filter.ts";
import { chooseEventColumns, type EventColumns } from "./choose-event-columns.ts";
import { findIssueEvents } from "./find-issue-events.server.ts";
import { toRowUser, toUserWords } from "./user-words.ts";

const PAGE_SIZE = 25;
/** From the tags of so many of the newest events one sees what differs. */
const COMPARED_EVENTS = 1_000;
/** The most frequent ones; others are rare. */
const VALUES_PER_KEY = 20;
/** Values of fewer events stand with their share. */
const RARE_SHARE = 0.1;
/** A payload that is larger is not read for the name of a user. */
const MAX_READ_BYTES = 200_000;

export interface EventItem {
  eventId: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  level: Level;
  title: string;
  /** As people know them; null: nobody. */
  user: string | null;
  /** By the keys of the columns. `share`: of the events, from 0 to 1, only of rare values. */
  values: Record<string, { value: string; share: number | null }>;
}

export interface IssueEvents {
  search: string;
  /** What of the search is not understood, and where. */
  problems: SearchError[];
  isUnknownId: boolean;
  /** Instant before which nothing was searched; null: everything was. */
  searchedFrom: number | null;
  events: EventItem[];
  columns: EventColumns & { hasTitle: boolean; hasUser: boolean };
  /** What `columns` is made from; `isSampled`: these are the newest of more. */
  compared: { events: number; isSampled: boolean };
  nextCursor: string | null;
  previousCursor: string | null;
}

/** A page of the issue's events for its page's filter and search, newest first, with what differs between them. */
export async function listIssueEvents(
  workspace: Workspace,
  { issue, url, now }: { issue: Issue; url: URL; now: number },
): Promise<IssueEvents> {
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, now);
  const search = url.searchParams.get("q")?.trim() ?? "";
  const place = { cursor: url.searchParams.get("cursor") || null, limit: PAGE_SIZE };
  const [found, { tags, countedEvents, isSampled }] = await Promise.all([
    findIssueEvents(workspace, { issue, filter, search, place, now }),
    workspace.events.tagDistributions(filter, { valuesPerKey: VALUES_PER_KEY, newest: COMPARED_EVENTS }),
  ]);
  const columns = chooseEventColumns(tags, countedEvents);
  const shares = new Map(tags.map(({ key, values }) => [key, new Map(values.map((v) => [v.value, v.count]))]));
  const users = await Promise.all(found.events.map((row) => findUser(workspace, row)));
  const toValue = (key: string, value: string) => {
    const count = shares.get(key)?.get(value) ?? 0;
    const share = countedEvents > 0 ? count / countedEvents : 0;
    return { value, share: count > 0 && share < RARE_SHARE ? share : null };
  };
  const events = found.events.map((row, index): EventItem => {
    const own = new Map(row.tags);
    return {
      eventId: row.eventId,
      occurredAt: row.occurredAt,
      level: row.level,
      title: row.title,
      user: users[index] ?? null,
      values: Object.fromEntries(
        columns.differing.flatMap((key) => {
          const value = own.get(key);
          return value === undefined ? [] : [[key, toValue(key, value)]];
        }),
      ),
    };
  });
  return {
    search,
    problems: found.problems,
    isUnknownId: found.isUnknownId,
    searchedFrom: found.searchedFrom,
    events,
    columns: {
      ...columns,
      hasTitle: events.some(({ title }) => title !== events[0]?.title),
      hasUser: events.some(({ user }) => user !== null),
    },
    compared: { events: countedEvents, isSampled },
    nextCursor: found.nextCursor,
    previousCursor: found.previousCursor,
  };
}

/** From the payload if the row was stored before rows had names of users. */
async function findUser(workspace: Workspace, row: EventRow): Promise<string | null> {
  const { words, isSure } = toRowUser(row);
  if (isSure || row.payloadBytes > MAX_READ_BYTES) return words;
  const stored = await workspace.payloads.readEvent(row.payload);
  return toUserWords(stored?.event.user) ?? words;
}
