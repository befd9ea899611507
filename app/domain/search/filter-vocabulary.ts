import { EVENT_VOCABULARY } from "./event-vocabulary.ts";
import type { SearchField, Vocabulary } from "./search-field.ts";

const LATER = "Filters look at an event before it has an issue.";

const NOT_THESE: ReadonlySet<string> = new Set(["timestamp", "id", "message"]);

/** The keys for filters of a project, which look at an event before it is stored. */
export const FILTER_VOCABULARY: Vocabulary = {
  ...EVENT_VOCABULARY,
  fields: [
    ...EVENT_VOCABULARY.fields.filter(({ key }) => !NOT_THESE.has(key)),
    field("error.type", "text", ["type"], "type of the exception, like TypeError"),
    field("error.value", "words", ["value"], "part of the exception's message"),
    field("message", "words", ["title", "value"], "part of the message or the exception's text"),
    field("culprit", "text", ["culprit"], "the function or transaction under the title"),
  ],
  // The same number as tests in a filter: see `FILTER_LIMITS`.
  maxTexts: 30,
  refused: {
    is: LATER,
    issue: LATER,
    project: "A filter is of one project.",
    timesseen: LATER,
    firstseen: LATER,
    lastseen: LATER,
    age: LATER,
    timestamp: "Filters look at events as they come.",
    id: "An id is of one event only.",
    assigned: LATER,
    assigned_or_suggested: LATER,
  },
};

function field(key: string, type: SearchField["type"], fields: string[], description: string): SearchField {
  return { key, type, fields, description, row: "event" };
}
