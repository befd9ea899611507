import { ALWAYS, type FieldTest } from "./condition.ts";
import { FEEDBACK_VOCABULARY } from "./feedback-vocabulary.ts";
import type { FieldChoice, SearchField, Vocabulary } from "./search-field.ts";
import { type FilterNode, type SearchError, type SearchNode, toPlainText } from "./search-tree.ts";

const CATEGORY = "issue.category";

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

/** What feedback is found by where a search for issues asks for it: also by what tools say of issues. */
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

/**
 * Whether a search for issues asks for feedback. All of it must do so: one list has issues or feedback.
 *
 * @returns errors where only a part of it does, or where it asks for another category
 */
export function readFeedbackCategory(tree: SearchNode | null): { isFeedback: boolean; errors: SearchError[] } {
  const errors: SearchError[] = [];
  let isFeedback = false;
  const visit = (node: SearchNode, holdsForAll: boolean) => {
    if (node.kind === "all") for (const part of node.parts) visit(part, holdsForAll);
    else if (node.kind === "any") for (const part of node.parts) visit(part, false);
    else if (node.kind === "not") visit(node.part, false);
    else if (node.kind === "filter" && isCategory(node)) {
      isFeedback = true;
      if (!holdsForAll) errors.push({ ...node.keySpan, message: NOT_FOR_ALL });
      else if (!node.values.every((value) => toPlainText(value)?.toLowerCase() === "feedback"))
        errors.push({ from: node.from, to: node.to, message: OTHER_CATEGORY });
    }
  };
  if (tree !== null) visit(tree, true);
  return { isFeedback, errors };
}

function isCategory({ key, isTag }: FilterNode): boolean {
  return !isTag && key.toLowerCase() === CATEGORY;
}

const NOT_FOR_ALL = `“${CATEGORY}:” says what is listed, so it cannot stand within “OR” or after “!”.`;
const OTHER_CATEGORY = `“${CATEGORY}:” can only be feedback. Leave it out to list issues: all of them are errors.`;
