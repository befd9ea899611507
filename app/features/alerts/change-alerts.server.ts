import type { Workspace } from "../../access/workspace.ts";
import { readRuleForm, toRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { type AlertResult, RULE_GONE } from "./alert-result.ts";
import { chooseNoiseMail } from "./choose-noise-mail.server.ts";
import { createAlertRule, deleteAlertRule, enableAlertRule } from "./save-alert.server.ts";

/** The form fields of a deleted rule, with which it can be made again. */
export type DeletedRule = Array<[name: string, value: string]>;

/** Handles the forms of the list: enables or disables a rule, deletes it, and makes it again. */
export async function changeAlerts(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<(AlertResult & { ok: false }) | (AlertResult & { ok: true; deleted?: DeletedRule })> {
  const pressed = readIntent(form, ["enable", "disable", "delete", "restore", "noise-mail", "no-noise-mail"]);
  if (!pressed.ok) return { ...pressed, field: "list" };
  if (pressed.intent === "restore") return createAlertRule(workspace, readRuleForm(form), now);
  if (pressed.intent === "noise-mail" || pressed.intent === "no-noise-mail")
    return await chooseNoiseMail(workspace, { isWanted: pressed.intent === "noise-mail", now });
  const id = Number(form.get("rule"));
  const rule = Number.isSafeInteger(id) ? await workspace.state.alerts.getRule(workspace.scope, id) : null;
  if (rule === null) return RULE_GONE;
  if (pressed.intent !== "delete")
    return enableAlertRule(workspace, rule, { isEnabled: pressed.intent === "enable", now });
  const result = await deleteAlertRule(workspace, rule);
  if (!result.ok) return result;
  return { ...result, deleted: [...toRuleForm(rule)].map(([name, value]) => [name, String(value)]) };
}
