import type { SearchedRow } from "../../domain/search/matches-condition.ts";
import type { EventRow } from "./error-events.ts";
import { findTagColumn, TAG_COLUMNS } from "./tag-columns.ts";

/** An event as searches see it in memory; the same names are those of `EventFilter.where`. */
export function toSearchedEvent(event: EventRow): SearchedRow {
  const fields: Record<string, string | number | null> = {
    projectId: event.projectId,
    issueId: event.issueId,
    eventId: event.eventId,
    occurredAt: event.occurredAt,
    level: event.level,
    platform: event.platform,
    environment: event.environment,
    release: event.release,
    dist: event.dist,
    transaction: event.transaction,
    title: event.title,
    user: event.userKey,
    userName: event.userName,
    traceId: event.traceId,
    replayId: event.replayId,
    sdk: event.sdkName,
    isUnhandled: event.isUnhandled ? 1 : 0,
    text: toText(event),
  };
  const findTag = (key: string) => event.tags.find(([name]) => name === key)?.[1] ?? null;
  return {
    field: (name) => fields[name] ?? null,
    tag(key) {
      if (key === "user") return event.userKey;
      // Where it has a column of the event itself, that is the tag.
      const isField = findTagColumn(key) !== undefined && Object.hasOwn(fields, TAG_COLUMNS[key] ?? "");
      if (key === "transaction") return event.transaction;
      return isField ? (fields[key] as string | null) : findTag(key);
    },
    tagValues: () => event.tags.map(([, value]) => value),
  };
}

/** What words without a key are looked for in: title, transaction, user without what kind of name it is, values of tags. */
function toText({ title, transaction, userKey, userName, tags }: EventRow): string {
  const user = userKey === null ? null : userKey.slice(userKey.indexOf(":") + 1);
  const values = tags.length === 0 ? "" : `\n${tags.map(([, value]) => value).join("\n")}\n`;
  return [title, transaction, user, userName, values].filter((part) => part !== null).join("\n");
}
