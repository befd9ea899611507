import { expect, test } from "vitest";
import type { Assignee } from "../issues/triage.ts";
import { MAX_SUGGESTED, rankSuggestions, type SuggestionReason, saySuggestion } from "./suggested-owner.ts";

const ada: Assignee = { kind: "user", id: 1, name: "Ada" };
const billing: Assignee = { kind: "team", id: 1, slug: "billing", name: "Billing" };
const rule: SuggestionReason = { kind: "rule", rule: "path:src/* #billing", isCodeowners: false, at: 1 };
const commit = (commitId: string): SuggestionReason => ({ kind: "commit", commitId, path: "src/pay.js", at: 2 });
const comment: SuggestionReason = { kind: "comment", at: 3 };

test("each is suggested once, by the strongest reason first", () => {
  const ranked = rankSuggestions([
    { assignee: ada, reason: comment },
    { assignee: ada, reason: commit("a".repeat(40)) },
    { assignee: ada, reason: commit("b".repeat(40)) },
    { assignee: billing, reason: rule },
  ]);
  expect(ranked.map(({ assignee, reasons }) => [assignee.name, reasons.map(saySuggestion)])).toEqual([
    ["Billing", ["owns it by the rule path:src/* #billing"]],
    ["Ada", ["changed src/pay.js in aaaaaaa", "wrote the last comment"]],
  ]);
});

test("a few are suggested", () => {
  const many = Array.from({ length: 20 }, (_, id) => ({ assignee: { ...ada, id }, reason: comment }));
  expect(rankSuggestions(many)).toHaveLength(MAX_SUGGESTED);
});
