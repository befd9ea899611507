import { ISSUE_STATUSES } from "../issue.ts";
import { LEVELS } from "../level.ts";
import { allOf, type FieldTest } from "./condition.ts";
import type { FieldChoice, SearchField, Vocabulary } from "./search-field.ts";

function one(field: string, value: string): FieldTest {
  return { kind: "test", field, isTag: false, test: { kind: "in", values: [value] }, isNegated: false };
}

function isUnhandled(value: 0 | 1): FieldTest {
  const test = { kind: "compare", sign: "=", value } as const;
  return { kind: "test", field: "isUnhandled", isTag: false, test, isNegated: false };
}

function ofUnresolved(substatus: string, description: string): FieldChoice {
  return {
    value: substatus,
    description,
    condition: allOf([one("status", "unresolved"), one("substatus", substatus)]),
  };
}

const STATUS_MEANINGS = { unresolved: "nobody has dealt with it", resolved: "dealt with", archived: "put away" };

const IS: readonly FieldChoice[] = [
  ...ISSUE_STATUSES.map((value) => ({
    value,
    ...(value === "archived" ? { aliases: ["ignored"] } : {}),
    description: STATUS_MEANINGS[value],
    condition: one("status", value),
  })),
  ofUnresolved("new", "first seen in the last 7 days"),
  ofUnresolved("ongoing", "unresolved for longer than 7 days"),
  ofUnresolved("regressed", "came back after it was resolved"),
  { value: "unhandled", description: "broke through to the user", condition: isUnhandled(1) },
  { value: "handled", description: "was caught", condition: isUnhandled(0) },
];

const LEVEL: readonly FieldChoice[] = LEVELS.map((value) => ({
  value,
  ...(value === "warning" ? { aliases: ["warn"] } : {}),
  description: "",
  condition: one("level", value),
}));

const ISSUE_FIELDS: readonly SearchField[] = [
  issue("is", "text", ["status"], "status, and what happened to it", { choices: IS }),
  issue("level", "text", ["level"], "severity of its latest event", { choices: LEVEL }),
  issue("project", "text", ["project"], "where it comes from", { aliases: ["project.name"] }),
  issue("error.type", "text", ["type"], "type of the exception, like TypeError"),
  issue("error.value", "words", ["value"], "part of the exception's message"),
  issue("message", "words", ["title", "value"], "part of the message or the exception's text"),
  issue("title", "text", ["title"], "the whole title"),
  issue("culprit", "text", ["culprit"], "the function or transaction under the title"),
  issue("error.unhandled", "boolean", ["isUnhandled"], "whether it broke through to the user"),
  issue("platform", "text", ["platform"], "platform of its events, like python", { aliases: ["platform.name"] }),
  issue("issue", "text", ["shortId"], "short id, like WEB-4F2", { aliases: ["shortid", "short_id", "issue.id"] }),
  issue("timesSeen", "number", ["eventCount"], "how many events it has", { aliases: ["times_seen", "events"] }),
  issue("users", "number", ["userCount"], "how many users it has", { aliases: ["usersseen", "users_seen"] }),
  issue("firstSeen", "time", ["firstSeenAt"], "when its first event happened", { aliases: ["first_seen"] }),
  issue("lastSeen", "time", ["lastSeenAt"], "when its latest event happened", { aliases: ["last_seen"] }),
  issue("age", "age", ["firstSeenAt"], "how long ago it was first seen"),
  issue("first-release", "version", ["firstRelease"], "new in a version", {
    aliases: ["firstrelease", "first_release"],
  }),
];

const EVENT_FIELDS: readonly SearchField[] = [
  event("environment", "text", ["environment"], "where it has happened", { aliases: ["env"] }),
  event("release", "version", ["release"], "with events of a version; release:>2.3, release:latest"),
  event("dist", "text", ["dist"], "distribution of a release"),
  event("transaction", "text", ["transaction"], "name of the request or page"),
  event("user", "text", ["user"], "with events of a user, by whatever they are known by", {
    prefixes: ["id", "email", "username", "ip"],
  }),
  event("user.id", "text", ["user"], "by the user's id", { prefixes: ["id"] }),
  event("user.email", "text", ["user"], "by the user's address for mail", { prefixes: ["email"] }),
  event("user.username", "text", ["user"], "by the user's name", { aliases: ["user.name"], prefixes: ["username"] }),
  event("user.ip", "text", ["user"], "by the user's IP address", { aliases: ["user.ip_address"], prefixes: ["ip"] }),
  event("trace", "id", ["traceId"], "with events of a trace", { aliases: ["trace.id", "trace_id"] }),
  event("id", "id", ["eventId"], "with the event of this id", { aliases: ["event.id", "event_id"] }),
  event("replay", "id", ["replayId"], "with events of a replay", { aliases: ["replay.id", "replayid", "replay_id"] }),
  event("sdk", "text", ["sdk"], "name of the SDK, like sentry.python", { aliases: ["sdk.name"] }),
  event("timestamp", "time", ["occurredAt"], "with an event at that time", { aliases: ["event.timestamp"] }),
  ...tags({
    url: "address of the page or request",
    logger: "logger that reported it",
    server_name: "name of the host",
    handled: "whether the error was caught: yes or no",
    mechanism: "what reported the error",
    "browser.name": "browser, without its version",
    browser: "browser with its version",
    "os.name": "operating system, without its version",
    os: "operating system with its version",
    device: "model of the device",
    "device.family": "family of the device",
    "runtime.name": "runtime, like node",
    runtime: "runtime with its version",
  }),
];

const REFUSED = {
  assigned: "Issues cannot be assigned to people yet.",
  assignee: "Issues cannot be assigned to people yet.",
  "issue.priority": "Issues have no priority yet.",
  priority: "Issues have no priority yet.",
  bookmarks: "Issues cannot be bookmarked yet.",
};

/** What issues are found by: what is known of them, and any of their events. */
export const ISSUE_VOCABULARY: Vocabulary = {
  fields: [...ISSUE_FIELDS, ...EVENT_FIELDS],
  text: { row: "issue", field: "text" },
  hasTags: true,
  refused: REFUSED,
};

/** Names of fields of an issue; every other field is its events'. */
export const FIELDS_OF_ISSUE: ReadonlySet<string> = new Set([
  "text",
  "substatus",
  ...ISSUE_FIELDS.flatMap(({ fields }) => fields),
]);

type Extra = Partial<Omit<SearchField, "key" | "type" | "fields" | "description" | "row">>;

function issue(key: string, type: SearchField["type"], fields: string[], description: string, extra: Extra = {}) {
  return { key, type, fields, description, row: "issue" as const, ...extra };
}

function event(key: string, type: SearchField["type"], fields: string[], description: string, extra: Extra = {}) {
  return { key, type, fields, description, row: "event" as const, ...extra };
}

function tags(descriptions: Record<string, string>): SearchField[] {
  return Object.entries(descriptions).map(([key, description]) =>
    event(key, "text", [key], description, { isTag: true }),
  );
}
