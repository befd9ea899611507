import { expect, test } from "vitest";
import { readFeedbackCategory, withoutErrorCategory } from "./issue-category.ts";
import { parseSearch } from "./parse-search.ts";
import { printSearch } from "./print-search.ts";

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

test.each([
  '"issue.category:feedback"',
  "tags[issue.category]:feedback",
  "message:issue.category:feedback",
  "issue.category:error",
  "",
])("%s asks for issues", (search) => {
  expect(read(search)).toEqual({ isFeedback: false, errors: [] });
});

test.each([
  ["issue.category:error", ""],
  ["is:unresolved Issue.Category:[error] cart", "is:unresolved cart"],
  ["cart AND (issue.category:error OR a)", "cart (issue.category:error OR a)"],
  ["(issue.category:error a) b", "a b"],
  ["!issue.category:error", "!issue.category:error"],
])("%s is of issues, all of which are errors", (search, left) => {
  const { tree } = parseSearch(search);
  expect(tree && printSearch(withoutErrorCategory(tree))).toBe(left);
});

test.each([
  ["cart OR issue.category:feedback", 8, "within “OR”"],
  ["cart !issue.category:feedback", 6, "after “!”"],
  ["!(cart issue.category:feedback)", 7, "after “!”"],
  ["cart issue.category:outage", 5, "can be feedback or error"],
  ["issue.category:[feedback, error]", 0, "can be feedback or error"],
  ["issue.category:feed*", 0, "can be feedback or error"],
])("%s is refused", (search, from, words) => {
  expect(read(search).errors).toMatchObject([{ from, message: expect.stringContaining(words) }]);
});
