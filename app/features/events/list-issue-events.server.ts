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
/** The number of newest events whose tags are compared to find the columns. */
const COMPARED_EVENTS = 1_000;
/** Values that are counted for each key, the most frequent ones. Others count as rare. */
const VALUES_PER_KEY = 20;
/** A value below this share of events is rare, and is shown with its share. */
const RARE_SHARE = 0.1;
/** A larger payload is not read for the name of a user. */
const MAX_READ_BYTES = 200_000;

export interface EventItem {
  eventId: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  level: Level;
  title: string;
  /** The display name. Null: the event has no user. */
  user: string | null;
  /** Values by the keys of the columns. `share`: the share of events with the value, from 0 to 1; only for rare values. */
  values: Record<string, { value: string; share: number | null }>;
}

export interface IssueEvents {
  search: string;
  /** What of the search is not understood, and where. */
  problems: SearchError[];
  isUnknownId: boolean;
  /** Start of the searched time. Null: everything was searched. */
  searchedFrom: number | null;
  events: EventItem[];
  columns: EventColumns & { hasTitle: boolean; hasUser: boolean };
  /** The events that `columns` was made from. `isSampled`: they are only the newest ones. */
  compared: { events: number; isSampled: boolean };
  nextCursor: string | null;
  previousCursor: string | null;
}

/** One page of the issue's events that match the page's filter and search, newest first, with the tags that differ between them. */
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

/** The user of the event. It is read from the payload if the row was stored before rows had names of users. */
async function findUser(workspace: Workspace, row: EventRow): Promise<string | null> {
  const { words, isSure } = toRowUser(row);
  if (isSure || row.payloadBytes > MAX_READ_BYTES) return words;
  const stored = await workspace.payloads.readEvent(row.payload);
  return toUserWords(stored?.event.user) ?? words;
}
