import { expect, test } from "vitest";
import { draftFirstRule, tellsEveryProject } from "./first-rule.ts";
import { readRuleDraft } from "./read-rule-draft.ts";

const RULE = { ...draftFirstRule({ id: 3, slug: "shop" }), projectIds: null };

test("the first rule of a project is one that people could have made", () => {
  const draft = draftFirstRule({ id: 3, slug: "shop" });
  expect(readRuleDraft(draft, 0)).toEqual({ ok: true, draft });
});

test("a project needs no rule of its own where one of all projects tells every new issue", () => {
  expect(tellsEveryProject([RULE])).toBe(true);
  expect(tellsEveryProject([])).toBe(false);
  for (const change of [
    { projectIds: [1] },
    { isEnabled: false },
    { conditions: ["level:fatal"] },
    { triggers: [{ kind: "resolved" as const }] },
  ])
    expect(tellsEveryProject([{ ...RULE, ...change }])).toBe(false);
});
