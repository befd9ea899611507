import { LEVELS } from "../level.ts";
import { fieldMaker } from "./make-field.ts";
import type { FieldChoice, SearchField, Vocabulary } from "./search-field.ts";

const event = fieldMaker("event");

export const LEVEL_CHOICES: readonly FieldChoice[] = LEVELS.map((value) => ({
  value,
  ...(value === "warning" ? { aliases: ["warn"] } : {}),
  description: "",
  condition: { kind: "test", field: "level", isTag: false, test: { kind: "in", values: [value] }, isNegated: false },
}));

/** Keys of single events, by which their issues are found too. */
export const EVENT_FIELDS: readonly SearchField[] = [
  event("environment", "text", ["environment"], "where it has happened", { aliases: ["env"] }),
  event("release", "version", ["release"], "with events of a version; release:>2.3, release:latest"),
  event("dist", "text", ["dist"], "distribution of a release"),
  event("transaction", "text", ["transaction"], "name of the request or page"),
  event("user", "text", ["user"], "with events of a user, by whatever they are known by", {
    prefixes: ["id", "email", "username", "ip"],
    nameField: "userName",
  }),
  event("user.id", "text", ["user"], "by the user's id", { prefixes: ["id"] }),
  event("user.email", "text", ["user"], "by the user's address for mail", {
    prefixes: ["email"],
    nameField: "userName",
  }),
  event("user.username", "text", ["user"], "by the user's name", {
    aliases: ["user.name"],
    prefixes: ["username"],
    nameField: "userName",
  }),
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

/** The fields by which the events of one issue are found. */
export const EVENT_VOCABULARY: Vocabulary = {
  // Each such text is searched in all texts of an event.
  maxTexts: 10,
  fields: [
    event("level", "text", ["level"], "severity", { choices: LEVEL_CHOICES }),
    ...EVENT_FIELDS,
    event("title", "text", ["title"], "the whole title"),
    event("message", "words", ["title"], "part of the title"),
    event("platform", "text", ["platform"], "platform, like python", { aliases: ["platform.name"] }),
    event("error.unhandled", "boolean", ["isUnhandled"], "whether it broke through to the user"),
  ],
  text: { row: "event", field: "text" },
  hasTags: true,
  refused: {
    is: "It says something about whole issues.",
    issue: "All of these events are of one issue.",
    project: "All events of an issue are of one project.",
    timesseen: "It says something about whole issues.",
    firstseen: "It says something about whole issues; “timestamp:” is the time of an event.",
    lastseen: "It says something about whole issues; “timestamp:” is the time of an event.",
    age: "It says something about whole issues; “timestamp:” is the time of an event.",
  },
};

/** Fields that only issues have: an event is found by the value of its issue. The names are those of `toSearchedIssue`. */
const FIELDS_OF_ITS_ISSUE: readonly SearchField[] = [
  event("error.type", "text", ["type"], "type of the issue's exception, like TypeError"),
  event("error.value", "words", ["value"], "part of the message of the issue's exception"),
  event("culprit", "text", ["culprit"], "the function or transaction under the issue's title"),
];

export function isOfItsIssue({ field, isTag }: { field: string; isTag: boolean }): boolean {
  return !isTag && FIELDS_OF_ITS_ISSUE.some(({ fields }) => fields.includes(field));
}

/** The fields by which error events of all issues are found. */
export const ERROR_VOCABULARY: Vocabulary = {
  ...EVENT_VOCABULARY,
  fields: [
    ...EVENT_VOCABULARY.fields,
    ...FIELDS_OF_ITS_ISSUE,
    event("project", "text", ["project"], "name of a project in addresses", { aliases: ["project.name"] }),
    event("issue", "text", ["issue"], "short id of an issue, like SHOP-1F"),
    event("issue.id", "number", ["issueId"], "an issue by its number", { aliases: ["group_id"] }),
  ],
  refused: { is: "It says something about whole issues.", age: "It says something about whole issues." },
};

function tags(descriptions: Record<string, string>): SearchField[] {
  return Object.entries(descriptions).map(([key, description]) =>
    event(key, "text", [key], description, { isTag: true }),
  );
}
