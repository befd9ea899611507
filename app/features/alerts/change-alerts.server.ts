import type { Workspace } from "../../access/workspace.ts";
import { readRuleForm, toRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { type AlertResult, RULE_GONE } from "./alert-result.ts";
import { chooseNoiseMail } from "./choose-noise-mail.server.ts";
import { createAlertRule, deleteAlertRule, enableAlertRule } from "./save-alert.server.ts";

/** Fields of the rule that was deleted, to make it again. */
export type DeletedRule = Array<[name: string, value: string]>;

/** What the forms of the list do: switch a rule on or off, delete it, and make it again. */
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
