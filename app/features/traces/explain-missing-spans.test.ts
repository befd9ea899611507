import { expect, test } from "vitest";
import type { LedgerSums } from "../timeline/missing-lanes.ts";
import { explainMissingSpans } from "./explain-missing-spans.ts";

const projects = [
  { id: 1, slug: "api" },
  { id: 2, slug: "web" },
];

function explain(ledger: LedgerSums, seesEverything = true) {
  return explainMissingSpans({ ledger, projects, ownProjectIds: new Set([2]), seesEverything });
}

test("what was sampled out, limited and filtered is said by project, the trace's own first", () => {
  expect(
    explain([
      { projectId: 1, category: "span", outcome: "filtered", reason: "health-check", quantity: 7 },
      { projectId: 2, category: "transaction", outcome: "accepted", quantity: 10 },
      { projectId: 2, category: "transaction", outcome: "client_discard", reason: "sample_rate", quantity: 90 },
      { projectId: 2, category: "transaction", outcome: "rate_limited", reason: "key_quota", quantity: 5 },
    ]),
  ).toEqual([
    {
      words: "web: the SDK sampled out 90 of 100 transactions of this hour.",
      href: "/arrived?project=web&category=transaction",
    },
    {
      words: expect.stringMatching(/^web: 5 transactions of this hour dropped: a rate limit \(/),
      href: "/arrived?project=web&category=transaction",
    },
    {
      words: expect.stringMatching(/^api, which has nothing here: 7 spans of this hour dropped: a filter \(/),
      href: "/arrived?project=api&category=span",
    },
  ]);
});

test("where nothing was dropped, the parent was not received", () => {
  expect(explain([{ projectId: 2, category: "span", outcome: "accepted", quantity: 10 }])).toEqual([
    { words: expect.stringMatching(/does not report here, .* or its project was deleted/), href: null },
  ]);
});

// @sentry/aws-serverless reports eleven of these for each cold start: what the runtime asks for between two calls.
test("spans that would be in no trace are not missing in this one", () => {
  const ledger: LedgerSums = [
    { projectId: 2, category: "span", outcome: "client_discard", reason: "no_parent_span", quantity: 11 },
  ];
  expect(explain(ledger)).toEqual([{ words: expect.stringMatching(/^Nothing was dropped/), href: null }]);
});

test("to somebody who does not have every project, the parent may be of another one", () => {
  expect(explain([], false)).toEqual([
    { words: expect.stringMatching(/^Your projects dropped nothing .* reports to another project/), href: null },
  ]);
});

test("many reasons are cut, and counted", () => {
  const many = Array.from({ length: 6 }, (_, id) => ({ id, slug: `p${id}` }));
  const ledger = many.map(({ id }) => ({
    projectId: id,
    category: "span",
    outcome: "rate_limited" as const,
    reason: "key_quota",
    quantity: 1,
  }));
  const reasons = explainMissingSpans({ ledger, projects: many, ownProjectIds: new Set(), seesEverything: true });
  expect(reasons).toHaveLength(5);
  expect(reasons[4]).toEqual({ words: "2 more in the ledger.", href: "/arrived" });
});
