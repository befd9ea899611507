import type { AlertRuleDraft } from "./alert-rule.ts";

/** A rule that many teams want. */
export interface RuleTemplate {
  id: string;
  name: string;
  /** The purpose of the rule, as a sentence. */
  what: string;
  draft: Pick<AlertRuleDraft, "triggers" | "conditions" | "actions" | "frequencyMinutes">;
}

const MEMBERS = [{ kind: "members" }] as const;

export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  {
    id: "production",
    name: "New errors in production",
    what: "An issue is new or comes back in production, and is an error.",
    draft: {
      triggers: [{ kind: "new" }, { kind: "regressed" }],
      conditions: ["environment:production", "level:[error, fatal]"],
      actions: MEMBERS,
      frequencyMinutes: 30,
    },
  },
  {
    id: "many-users",
    name: "Many users have the same issue",
    what: "One issue reaches 20 users in ten minutes.",
    draft: {
      triggers: [{ kind: "users", count: 20, minutes: 10 }],
      conditions: [],
      actions: MEMBERS,
      frequencyMinutes: 60,
    },
  },
  {
    id: "many-events",
    name: "One issue happens very often",
    what: "One issue reaches 100 events in an hour.",
    draft: {
      triggers: [{ kind: "events", count: 100, minutes: 60 }],
      conditions: [],
      actions: MEMBERS,
      frequencyMinutes: 180,
    },
  },
  {
    id: "escalating",
    name: "Archived issues that grow",
    what: "An archived issue escalates, or its archive is over.",
    draft: {
      triggers: [{ kind: "escalating" }, { kind: "unarchived" }],
      conditions: [],
      actions: MEMBERS,
      frequencyMinutes: 30,
    },
  },
  {
    id: "owners",
    name: "To those who own the code",
    what: "A new or regressed issue goes to its assignee and to the owners by the ownership rules.",
    draft: {
      triggers: [{ kind: "new" }, { kind: "regressed" }, { kind: "high-priority" }],
      conditions: [],
      actions: [{ kind: "assignee" }, { kind: "owners" }],
      frequencyMinutes: 30,
    },
  },
];
