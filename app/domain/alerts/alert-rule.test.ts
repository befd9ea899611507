import { describe, expect, test } from "vitest";
import type { AlertRuleDraft } from "./alert-rule.ts";
import { nameChange, sayReturn } from "./name-change.ts";
import { readRuleDraft, type TypedRuleDraft } from "./read-rule-draft.ts";
import { readRuleForm, toRuleForm } from "./read-rule-form.ts";
import { bindRuleConditions, fitsConditions } from "./rule-conditions.ts";
import { sayMinutes, sayRule, toSentence } from "./say-rule.ts";

const NOW = Date.UTC(2026, 4, 20, 12);

const RULE: AlertRuleDraft = {
  name: "Checkout",
  projectIds: [1],
  triggers: [{ kind: "regressed" }, { kind: "users", count: 20, minutes: 10 }],
  match: "all",
  conditions: ["environment:production", "level:[error, fatal]"],
  actions: [{ kind: "members" }, { kind: "team", id: 3 }],
  steps: [
    { afterMinutes: 15, actions: [{ kind: "team", id: 3 }] },
    { afterMinutes: 60, actions: [{ kind: "members" }, { kind: "person", id: 4 }] },
  ],
  frequencyMinutes: 30,
  isEnabled: true,
};
const names = { project: () => "shop", receiver: () => "#payments" };

function typed(change: Partial<TypedRuleDraft>): TypedRuleDraft {
  return { ...RULE, ...change };
}

test("a rule is said in one sentence of its facts, each with the field that changes it", () => {
  const said = sayRule(RULE, names);
  expect(toSentence(said)).toBe(
    "When an issue of shop comes back after it was resolved or reaches 20 users in 10 minutes, if it fits all of environment:production and level:[error, fatal], tell the members of the project and #payments, at most once in 30 minutes for the same issue. If nobody acknowledges it: after 15 minutes, tell #payments; after 1 hour, tell the members of the project and #payments.",
  );
  expect(said.find(({ text }) => text === "#payments")?.field).toBe("rule-action-team:3");
  const none = sayRule(
    { ...RULE, projectIds: null, match: "none", conditions: ["plan:pro"], frequencyMinutes: 0, steps: [] },
    names,
  );
  expect(toSentence(none)).toMatch(/^When an issue of any project .* fits none of plan:pro, tell .*, each time\.$/);
});

test("minutes are said in the largest unit that they fill", () => {
  expect([1, 60, 90, 1440, 2880].map(sayMinutes)).toEqual(["1 minute", "1 hour", "90 minutes", "1 day", "2 days"]);
});

test("a form and a draft say the same", () => {
  expect(readRuleDraft(readRuleForm(toRuleForm(RULE)), NOW)).toEqual({ ok: true, draft: { ...RULE, teamId: null } });
  const all = { ...RULE, projectIds: null, teamId: null, isEnabled: false };
  expect(readRuleDraft(readRuleForm(toRuleForm(all)), NOW)).toEqual({ ok: true, draft: all });
  const channels: AlertRuleDraft["actions"] = [
    { kind: "channel", id: 5, place: "#payments" },
    { kind: "channel", id: 6 },
  ];
  const placed = { ...RULE, teamId: null, actions: channels, steps: [{ afterMinutes: 15, actions: channels }] };
  expect(readRuleDraft(readRuleForm(toRuleForm(placed)), NOW)).toEqual({ ok: true, draft: placed });
  const ofTeam = { ...RULE, projectIds: [], teamId: 3 };
  expect(readRuleDraft(readRuleForm(toRuleForm(ofTeam)), NOW)).toEqual({ ok: true, draft: ofTeam });
});

test.each([
  [{ name: "  " }, "name"],
  [{ projectIds: [] }, "projects"],
  [{ triggers: [] }, "triggers"],
  [{ triggers: [{ kind: "often" }] }, "triggers"],
  [{ triggers: [{ kind: "events", count: 0, minutes: 5 }] }, "triggers"],
  [{ triggers: [{ kind: "events", count: 5, minutes: 1441 }] }, "triggers"],
  [{ triggers: [{ kind: "new" }, { kind: "new" }] }, "triggers"],
  [{ conditions: ["is:wrong"] }, "conditions"],
  [{ conditions: ["assigned:me"] }, "conditions"],
  [{ conditions: ["project:shop"] }, "conditions"],
  [{ conditions: ["release:latest"] }, "conditions"],
  [{ match: "some" }, "match"],
  [{ actions: [] }, "actions"],
  [{ actions: [{ kind: "team" }] }, "actions"],
  [{ actions: [{ kind: "channel", id: 5, place: "two words" }] }, "actions"],
  [{ actions: [{ kind: "channel", id: 5, place: "x".repeat(82) }] }, "actions"],
  [
    {
      actions: [
        { kind: "channel", id: 5 },
        { kind: "channel", id: 5, place: "#payments" },
      ],
    },
    "actions",
  ],
  [{ steps: [{ afterMinutes: 0, actions: [{ kind: "members" }] }] }, "steps"],
  [{ steps: [{ afterMinutes: 10_081, actions: [{ kind: "members" }] }] }, "steps"],
  [{ steps: [{ afterMinutes: 5, actions: [] }] }, "steps"],
  [{ steps: [5, 5].map((afterMinutes) => ({ afterMinutes, actions: [{ kind: "members" }] })) }, "steps"],
  [{ steps: [1, 2, 3, 4, 5, 6].map((afterMinutes) => ({ afterMinutes, actions: [{ kind: "members" }] })) }, "steps"],
  [{ frequencyMinutes: 1.5 }, "frequency"],
] satisfies Array<[Partial<TypedRuleDraft>, string]>)("%o is refused at %s", (change, field) => {
  expect(readRuleDraft(typed(change), NOW)).toMatchObject({ ok: false, field });
});

describe("conditions", () => {
  const row = (fields: Record<string, string | number>, tags: Record<string, string> = {}) => ({
    field: (name: string) => fields[name] ?? null,
    tag: (key: string) => tags[key] ?? null,
    tagValues: () => Object.values(tags),
  });
  const issue = row({ level: "error", eventCount: 12 });
  const event = row({ environment: "production", level: "warning" }, { plan: "pro" });
  const fits = (match: AlertRuleDraft["match"], ...conditions: string[]) =>
    fitsConditions(bindRuleConditions({ match, conditions }, NOW), issue, event);

  test("are asked of the issue and of its event together", () => {
    expect(fits("all", "level:error", "environment:production", "plan:pro")).toBe(true);
    expect(fits("all", "level:error", "plan:free")).toBe(false);
    expect(fits("any", "level:fatal", "plan:pro")).toBe(true);
    expect(fits("none", "level:fatal", "plan:free")).toBe(true);
    expect(fits("none", "level:fatal", "timesSeen:>10")).toBe(false);
    expect(fits("none")).toBe(true);
  });
});

test("an issue came back from where its activity says", () => {
  const change = { transition: "regressed", eventId: "e1", at: 5 } as const;
  const reopened = (data: Record<string, unknown>, at = 5) => ({ kind: "reopened", at, data });
  expect(nameChange(change, [{ kind: "regressed", at: 5, data: { eventId: "e1" } }])).toBe("regressed");
  expect(nameChange(change, [reopened({ eventId: "e1", archive: { kind: "events" } })])).toBe("unarchived");
  expect(nameChange(change, [reopened({ eventId: "e1", archive: { kind: "escalates" } })])).toBe("escalating");
  expect(nameChange({ ...change, eventId: "" }, [reopened({ archive: { kind: "until" } })])).toBe("unarchived");
  expect(nameChange(change, [reopened({ eventId: "other", archive: { kind: "events" } })])).toBe("regressed");

  const escalation = { unit: "hour", from: Date.UTC(2026, 10, 24, 14), count: 63, most: 40 };
  expect(sayReturn(change, [reopened({ eventId: "e1", archive: { kind: "escalates" }, escalation })])).toBe(
    "63 events in the hour from 2026-11-24 14:00 UTC; the bound was 40",
  );
  const archive = { kind: "users", count: 1, windowMinutes: null };
  expect(sayReturn(change, [reopened({ eventId: "e1", archive })])).toBe("1 more user since it was archived");
  expect(sayReturn(change, [reopened({ eventId: "other", archive })])).toBeUndefined();
});
