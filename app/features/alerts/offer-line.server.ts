import type { Workspace } from "../../access/workspace.ts";
import type { AlertRule, AlertRuleDraft } from "../../domain/alerts/alert-rule.ts";
import { readRuleDraft, type TypedRuleDraft } from "../../domain/alerts/read-rule-draft.ts";
import { readRuleForm, toRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { type Rehearsal, rehearseAlert } from "./rehearse-alert.server.ts";

/** A rule's form with another line, before anybody saves it. */
export interface OfferedLine {
  line: number;
  typed: AlertRuleDraft;
  rehearsal: Rehearsal;
}

/** The draft with another line for its number. */
export function withLine(typed: TypedRuleDraft, count: number): TypedRuleDraft {
  const triggers = typed.triggers.map((each) => (each.count === undefined ? each : { ...each, count }));
  return { ...typed, triggers };
}

/** Null: the rule cannot have this line, or has no number. */
export async function offerLine(
  workspace: Workspace,
  { rule, line, now }: { rule: AlertRule; line: number; now: number },
): Promise<OfferedLine | null> {
  const read = readRuleDraft(withLine(readRuleForm(toRuleForm(rule)), line), now);
  if (!read.ok || !rule.triggers.some((trigger) => "count" in trigger)) return null;
  return { line, typed: read.draft, rehearsal: await rehearseAlert(workspace, read.draft, now) };
}
