import { expect, test } from "vitest";
import type { Assignee } from "../../domain/issues/triage.ts";
import { findMentionDraft, listMentionOffers } from "./comment-mention.ts";

const PEOPLE: Assignee[] = [
  { kind: "user", id: 1, name: "Mara Lindqvist" },
  { kind: "user", id: 2, name: "clara" },
  { kind: "team", id: 1, slug: "storefront", name: "Storefront" },
];

const offer = (before: string) => listMentionOffers(findMentionDraft(before), PEOPLE).map(({ name }) => name);

test.each([
  ["Look, @Ma", ["Mara Lindqvist"]],
  ["(@mara lind", ["Mara Lindqvist"]],
  ["@", ["Mara Lindqvist", "clara", "Storefront"]],
  ["@stor", ["Storefront"]],
  // A team has a sign of its own.
  ["ask #sto", ["Storefront"]],
  ["ask #", ["Storefront"]],
  ["ask #ma", []],
  // After a finished mention, Enter starts a new line again.
  ["@clara ", []],
  ["@clara what", []],
  ["# Heading", []],
  ["ada@example", []],
])("after %j it offers %j", (before, names) => {
  expect(offer(before)).toEqual(names);
});
