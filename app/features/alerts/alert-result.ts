import type { RuleField } from "../../domain/alerts/read-rule-draft.ts";

/** The result of a form about alert rules. */
export type AlertResult =
  | { ok: true; message: string; ruleId: number }
  /** `field`: the field that the message belongs to; `list`: none. `index`: the index of the trigger, condition or action. */
  | { ok: false; status: 400 | 403 | 404 | 409; field: RuleField | "list"; index?: number; message: string };

export const RULE_GONE = {
  ok: false,
  status: 404,
  field: "list",
  message: "This rule does not exist any more.",
} as const;

export const CHANGED_MEANWHILE = {
  ok: false,
  status: 409,
  field: "list",
  message:
    "Somebody else changed this rule after you opened it, so yours is not saved. Open the page again to see theirs, or save again to replace it.",
} as const;

export const MAY_NOT_MANAGE = {
  ok: false,
  status: 403,
  field: "projects",
  message: "You may not change a rule of these projects. One of all projects needs org:write, any other project:write.",
} as const;

export const HIDDEN_TEAM = {
  ok: false,
  status: 403,
  field: "projects",
  message: "This team sees projects that you do not see: you may not make a rule for all of its projects.",
} as const;
