import { ALWAYS, type FieldTest } from "./condition.ts";
import { FEEDBACK_VOCABULARY } from "./feedback-vocabulary.ts";
import { CATEGORY } from "./issue-category.ts";
import type { FieldChoice, SearchField, Vocabulary } from "./search-field.ts";

function ofStatus(status: string): FieldTest {
  return { kind: "test", field: "status", isTag: false, test: { kind: "in", values: [status] }, isNegated: false };
}

const STATUSES: readonly FieldChoice[] = [
  { value: "unresolved", description: "nobody has dealt with it", condition: ofStatus("unresolved") },
  { value: "resolved", description: "dealt with", condition: ofStatus("resolved") },
  { value: "archived", aliases: ["ignored", "spam"], description: "in Spam", condition: ofStatus("spam") },
];

/** Issues have two times; feedback has one. */
const TIMES = ["firstseen", "first_seen", "lastseen", "last_seen"];

/** The keys of feedback in a search for issues. It also has keys that tools use for issues. */
export const FEEDBACK_ISSUE_VOCABULARY: Vocabulary = {
  ...FEEDBACK_VOCABULARY,
  fields: [
    {
      key: CATEGORY,
      type: "text",
      fields: [],
      description: "feedback",
      row: "event",
      choices: [{ value: "feedback", description: "what users said", condition: ALWAYS }],
    },
    ...FEEDBACK_VOCABULARY.fields.map((field): SearchField => {
      if (field.key === "is")
        return { ...field, aliases: ["status"], choices: [...STATUSES, ...(field.choices ?? [])] };
      return field.type === "time" ? { ...field, aliases: [...(field.aliases ?? []), ...TIMES] } : field;
    }),
  ],
  refused: {},
};
