import type { SentryEvent, Stacktrace } from "../../domain/event.ts";
import type { FilterSubject } from "../../domain/filters/compile-filters.ts";
import type { FieldValue } from "../../domain/search/condition.ts";
import type { SearchedRow } from "../../domain/search/matches-condition.ts";
import { groupEvent } from "../../grouping/group-event.ts";
import { titleAndCulprit } from "../../grouping/title-and-culprit.ts";
import { toUserKey, toUserName } from "../../signals/error/user-key.ts";
import { findTagColumn, TAG_COLUMNS } from "../../stores/events/tag-columns.ts";

/** An error as filters see it: normalised, before source maps and before it is scrubbed. */
export function toFilterSubject(event: SentryEvent, clientAddress: string | null): FilterSubject {
  let row: SearchedRow | null = null;
  return {
    addresses: () => [clientAddress, event.user?.ip_address].filter((address) => typeof address === "string"),
    release: event.release ?? null,
    messages: () => listMessages(event),
    browser() {
      const { name, version } = event.contexts?.browser ?? {};
      return typeof name === "string" ? { name, version: typeof version === "string" ? version : null } : null;
    },
    userAgent: () => findHeader(event, "User-Agent"),
    host: () => readHost(event.request?.url),
    thrownIn: () => listThrownIn(event),
    row: () => {
      row ??= toRow(event);
      return row;
    },
  };
}

function listMessages(event: SentryEvent): string[] {
  const messages: string[] = [];
  for (const { type = "", value = "" } of event.exception?.values ?? []) {
    messages.push(type === "" ? value : `${type}: ${value}`);
    if (type !== "" && value !== "") messages.push(value);
  }
  const { formatted, message } = event.logentry ?? {};
  if (formatted !== undefined) messages.push(formatted);
  if (message !== undefined && message !== formatted) messages.push(message);
  return messages;
}

function findHeader(event: SentryEvent, name: string): string | null {
  return event.request?.headers?.find(([key]) => key === name)?.[1] ?? null;
}

/** Null: the text is no URL with a host. */
function readHost(url: string | undefined): string | null {
  const match = url === undefined ? null : /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(url);
  return match?.[1]?.replace(/^\[|\]$/g, "") || null;
}

/** The file of the innermost frame of each exception. For a report: the blocked URL and where it was blocked. */
function listThrownIn(event: SentryEvent): string[] {
  const paths: string[] = [];
  const take = (stacktrace: Stacktrace | undefined) => {
    const { abs_path: path, filename } = stacktrace?.frames.at(-1) ?? {};
    if (path !== undefined) paths.push(path);
    if (filename !== undefined && filename !== path) paths.push(filename);
  };
  for (const { stacktrace } of event.exception?.values ?? []) take(stacktrace);
  if (event.exception === undefined) take(event.stacktrace);
  for (const key of ["blocked_uri", "source_file"]) {
    const value = event.csp?.[key];
    if (typeof value === "string") paths.push(value);
  }
  return paths;
}

/**
 * The fields of an event that filters search. They have the names of `toSearchedEvent`, plus those issue fields that the event alone
 * decides.
 */
function toRow(event: SentryEvent): SearchedRow {
  const tags = event.tags ?? [];
  const userKey = toUserKey(event.user);
  let titles: ReturnType<typeof titleAndCulprit> | null = null;
  const named = () => {
    titles ??= nameEvent(event);
    return titles;
  };
  const contextText = (context: string, key: string): string | null => {
    const value = event.contexts?.[context]?.[key];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const field = (name: string): FieldValue => {
    switch (name) {
      case "level":
        return event.level;
      case "platform":
        return event.platform;
      case "environment":
        return event.environment ?? null;
      case "release":
        return event.release ?? null;
      case "dist":
        return event.dist ?? null;
      case "transaction":
        return event.transaction ?? null;
      case "title":
        return named().title;
      case "type":
        return named().type;
      case "value":
        return named().value;
      case "culprit":
        return named().culprit;
      case "user":
        return userKey;
      case "userName":
        return toUserName(event.user, userKey);
      case "traceId":
        return contextText("trace", "trace_id");
      case "replayId":
        return contextText("replay", "replay_id");
      case "sdk":
        return event.sdk?.name ?? null;
      case "isUnhandled":
        return event.exception?.values.some(({ mechanism }) => mechanism?.handled === false) ? 1 : 0;
      case "text":
        return [
          named().title,
          event.transaction ?? "",
          userKey?.slice(userKey.indexOf(":") + 1) ?? "",
          toUserName(event.user, userKey) ?? "",
          ...tags.map(([, value]) => value),
        ].join("\n");
      default:
        return null;
    }
  };
  return {
    field,
    tag(key) {
      if (key === "user") return userKey;
      if (key === "transaction") return event.transaction ?? null;
      const column = findTagColumn(key) === undefined ? undefined : TAG_COLUMNS[key];
      const value = column === undefined ? null : field(column);
      return typeof value === "string" ? value : (tags.find(([name]) => name === key)?.[1] ?? null);
    },
    tagValues: () => tags.map(([, value]) => value),
  };
}

/** The name of the event. If it has several exceptions, its grouping decides which of them gives the name. */
function nameEvent(event: SentryEvent): ReturnType<typeof titleAndCulprit> {
  const count = event.exception?.values.length ?? 0;
  return count > 1 ? groupEvent(event) : titleAndCulprit(event, count === 1 ? 0 : null);
}
