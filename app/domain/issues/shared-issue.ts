import type { Frame, SentryEvent } from "../event.ts";
import { type ExceptionRelation, findRelation } from "../exception-relation.ts";
import type { Issue, IssueStatus } from "../issue.ts";
import type { Level } from "../level.ts";
import { DAY_MS, HOUR_MS } from "../time.ts";

/** Lifetimes of links, in the order of the form. */
export const SHARE_CHOICES = [
  { name: "1h", label: "1 hour", ms: HOUR_MS },
  { name: "1d", label: "1 day", ms: DAY_MS },
  { name: "7d", label: "7 days", ms: 7 * DAY_MS },
  { name: "30d", label: "30 days", ms: 30 * DAY_MS },
] as const;
/** How long a link of the web API works: a request cannot choose it. */
export const API_SHARE_MS = 30 * DAY_MS;
/** Links of an issue that hold at the same time. */
export const MAX_SHARES = 20;

/** A link by which strangers see a little of an issue. */
export interface IssueShare {
  id: number;
  /** Null: a token of the organization made it. */
  by: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  expiresAt: number;
}

/** The only facts of an issue that people without an account see. */
export interface SharedIssue {
  shortId: string;
  title: string;
  level: Level;
  status: IssueStatus;
  platform: string;
  firstSeenAt: number;
  lastSeenAt: number;
  eventCount: number;
  /** The exceptions of the latest event, the thrown one first. Only in-app frames, the innermost first. */
  stacks: SharedStack[];
}

interface SharedStack {
  type: string;
  message: string;
  /** The relation to the thrown exception. Null for the thrown one. */
  relation: ExceptionRelation["kind"] | null;
  frames: SharedFrame[];
  otherFrameCount: number;
}

export interface SharedFrame {
  function: string;
  /** File or module, without an address's host and query. */
  place: string | null;
  line: number | null;
}

const MAX_STACKS = 10;
const MAX_FRAMES = 100;
const MAX_TEXT = 500;

/** `event` null: its details are not stored any more. */
export function toSharedIssue(issue: Issue, event: SentryEvent | null): SharedIssue {
  const { shortId, level, status, platform, firstSeenAt, lastSeenAt, eventCount } = issue;
  return {
    ...{ shortId, level, status, platform, firstSeenAt, lastSeenAt, eventCount },
    title: maskText(issue.type === null ? firstLine(issue.title) : issue.type),
    stacks: event === null ? [] : toStacks(event),
  };
}

function toStacks(event: SentryEvent): SharedIssue["stacks"] {
  const values = event.exception?.values ?? [];
  if (values.length === 0) return [];
  const stacks = values.map(({ type, value, stacktrace }, index): SharedStack => {
    const frames = stacktrace?.frames ?? [];
    const own = frames.filter(({ in_app: isInApp }) => isInApp === true);
    return {
      type: maskText(type ?? "Error"),
      message: maskText(firstLine(value ?? "")),
      relation: findRelation(values, index)?.kind ?? null,
      frames: [...own].reverse().slice(0, MAX_FRAMES).map(toSharedFrame),
      otherFrameCount: frames.length - Math.min(own.length, MAX_FRAMES),
    };
  });
  return stacks.reverse().slice(0, MAX_STACKS);
}

function toSharedFrame({ function: name, filename, module, lineno }: Frame): SharedFrame {
  const place = filename ?? module ?? null;
  return {
    function: (name ?? "<unknown>").slice(0, MAX_TEXT),
    place: place === null ? null : toPlace(place),
    line: lineno ?? null,
  };
}

/** The path of an address, without host, query and fragment; of a folder of somebody's own, without their name. */
function toPlace(place: string): string {
  return place
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/^((?:[a-z]:)?[/\\](?:users|home)[/\\])[^/\\]+/i, "$1…")
    .slice(0, MAX_TEXT);
}

const MASK = "…";
const ADDRESS = /[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g;
const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
const IPV6 = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]+/gi;
const QUOTED = /(["'`“”‘’«»])(?:(?!\1).){1,200}?["'`“”‘’«»]/g;
/** Ids, keys and card numbers: long runs that have a digit. */
const LONG_RUN = /\b(?=[\w-]*\d)[\w-]{8,}\b/g;
const NUMBER = /\d{4,}/g;

/** A text without what may be somebody's own: addresses, quoted values, long ids and numbers. */
export function maskText(text: string): string {
  return text
    .slice(0, 4 * MAX_TEXT)
    .replace(URL_TEXT, MASK)
    .replace(ADDRESS, MASK)
    .replace(QUOTED, `$1${MASK}$1`)
    .replace(IPV4, MASK)
    .replace(IPV6, MASK)
    .replace(LONG_RUN, MASK)
    .replace(NUMBER, MASK)
    .slice(0, MAX_TEXT);
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}
