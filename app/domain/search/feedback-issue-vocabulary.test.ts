import { expect, test } from "vitest";
import { readFeedbackCategory } from "./feedback-issue-vocabulary.ts";
import { parseSearch } from "./parse-search.ts";

const read = (search: string) => readFeedbackCategory(parseSearch(search).tree);

test.each([
  "issue.category:feedback",
  "cart Issue.Category:Feedback is:unresolved",
  '(issue.category:"feedback" AND !cart) OR', // with an error of its own, there is no tree
  "name:Ann (is:[resolved, unresolved] (issue.category:[feedback] OK))",
])("%s", (search) => {
  const isWhole = parseSearch(search).tree !== null;
  expect(read(search)).toEqual({ isFeedback: isWhole, errors: [] });
});

test.each(['"issue.category:feedback"', "tags[issue.category]:feedback", "message:issue.category:feedback", ""])(
  "%s asks for issues",
  (search) => {
    expect(read(search)).toEqual({ isFeedback: false, errors: [] });
  },
);

test.each([
  ["cart OR issue.category:feedback", 8, "within “OR”"],
  ["cart !issue.category:feedback", 6, "after “!”"],
  ["!(cart issue.category:feedback)", 7, "after “!”"],
  ["cart issue.category:error", 5, "can only be feedback"],
  ["issue.category:[feedback, error]", 0, "can only be feedback"],
  ["issue.category:feed*", 0, "can only be feedback"],
])("%s is refused", (search, from, words) => {
  expect(read(search).errors).toMatchObject([{ from, message: expect.stringContaining(words) }]);
});
