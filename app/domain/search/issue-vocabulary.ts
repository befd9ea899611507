import { PRIORITIES, type Priority } from "../issues/priority.ts";
import { allOf, type FieldTest } from "./condition.ts";
import { EVENT_FIELDS, LEVEL_CHOICES } from "./event-vocabulary.ts";
import { fieldMaker } from "./make-field.ts";
import type { FieldChoice, SearchField, Vocabulary } from "./search-field.ts";

const issue = fieldMaker("issue");

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

const HAS_ASSIGNEE: FieldTest = {
  kind: "test",
  field: "assignee",
  isTag: false,
  test: { kind: "exists" },
  isNegated: false,
};

const IS: readonly FieldChoice[] = [
  { value: "unresolved", description: "nobody has dealt with it", condition: one("status", "unresolved") },
  ofUnresolved("new", "first seen in the last 7 days"),
  ofUnresolved("ongoing", "unresolved for longer than 7 days"),
  ofUnresolved("escalating", "came back with far more events than before, in the last 7 days"),
  ofUnresolved("regressed", "came back after it was resolved"),
  { value: "resolved", description: "dealt with", condition: one("status", "resolved") },
  { value: "archived", aliases: ["ignored"], description: "put away", condition: one("status", "archived") },
  { value: "assigned", description: "somebody works on it", condition: HAS_ASSIGNEE },
  { value: "unassigned", description: "nobody works on it", condition: { ...HAS_ASSIGNEE, isNegated: true } },
  { value: "snoozed", description: "snoozed by you", condition: one("snoozed", "me") },
  { value: "unhandled", description: "broke through to the user", condition: isUnhandled(1) },
  { value: "handled", description: "was caught", condition: isUnhandled(0) },
];

const PRIORITY_WORDS: Readonly<Record<Priority, string>> = {
  high: "deal with it first",
  medium: "deal with it soon",
  low: "it can wait",
};

const ISSUE_FIELDS: readonly SearchField[] = [
  issue("is", "text", ["status"], "status, and what happened to it", { choices: IS }),
  issue("level", "text", ["level"], "severity of its latest event", { choices: LEVEL_CHOICES }),
  issue("assigned", "text", ["assigned"], "who works on it: me, my_teams, none, a name, an e-mail address or #team", {
    aliases: ["assignee", "assigned.to", "assigned_to"],
  }),
  issue(
    "assigned_or_suggested",
    "text",
    ["assignedOrSuggested"],
    "who works on it or, while nobody does, is suggested: me, my_teams, none, a name, an e-mail address or #team",
  ),
  issue("bookmarks", "text", ["bookmarks"], "bookmarked by you", {
    choices: [{ value: "me", description: "bookmarked by you", condition: one("bookmarks", "me") }],
  }),
  issue("priority", "text", ["priority"], "how urgent it is", {
    aliases: ["issue.priority"],
    choices: PRIORITIES.map((value) => ({
      value,
      description: PRIORITY_WORDS[value],
      condition: one("priority", value),
    })),
  }),
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

/** The keys of issues: facts about the issue, and about any of its events. */
export const ISSUE_VOCABULARY: Vocabulary = {
  fields: [...ISSUE_FIELDS, ...EVENT_FIELDS],
  text: { row: "issue", field: "text" },
  hasTags: true,
  refused: {},
};

const FIELDS_OF_ISSUE: ReadonlySet<string> = new Set([
  "text",
  "substatus",
  "snoozed",
  "projectId",
  "assignee",
  "suggested",
  ...ISSUE_FIELDS.flatMap(({ fields }) => fields),
]);

/** Whether it is a field of the issue itself. All other fields are those of its events. */
export function isOfIssue({ field, isTag }: Pick<FieldTest, "field" | "isTag">): boolean {
  return !isTag && FIELDS_OF_ISSUE.has(field);
}
