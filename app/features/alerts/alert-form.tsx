import { type FormEvent, useState } from "react";
import { Form, useNavigation } from "react-router";
import { type AlertRuleDraft, MAX_RULE_NAME } from "../../domain/alerts/alert-rule.ts";
import { readRuleDraft } from "../../domain/alerts/read-rule-draft.ts";
import { readRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { FIELD_IDS, type SaidPart, sayMinutes, sayRule } from "../../domain/alerts/say-rule.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { CheckboxField, SelectField, TextField } from "../../ui/field.tsx";
import { toErrorOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { AlertProjects } from "./alert-projects.tsx";
import { AlertReceivers } from "./alert-receivers.tsx";
import type { AlertResult } from "./alert-result.ts";
import { AlertSentence } from "./alert-sentence.tsx";
import { AlertSteps } from "./alert-steps.tsx";
import { AlertTriggers } from "./alert-triggers.tsx";
import type { AlertPage } from "./get-alert-page.server.ts";
import { toRuleNames } from "./rule-names.ts";

export const ALERT_FORM_ID = "alert-rule";
/** Minutes. */
const FREQUENCIES = [0, 5, 10, 30, 60, 180, 720, 1440, 10_080];

/** A rule in words, and its form. The words follow the fields while somebody types. */
export function AlertForm({
  page: { names, draft: saved, mayChange, mayChooseAll, hiddenProjects, isMailSetUp, rule },
  typed,
  changedAt,
  refusal,
  children,
}: {
  page: AlertPage;
  /** The values of a form that was refused or rehearsed. Null: there are none. */
  typed: AlertRuleDraft | null;
  /** When the rule was last changed before the form was opened. Null: the rule is new. */
  changedAt: number | null;
  refusal: Extract<AlertResult, { ok: false }> | null;
  children?: React.ReactNode;
}) {
  const draft = typed ?? saved;
  const ruleNames = toRuleNames(names);
  const [said, setSaid] = useState<{ of: AlertRuleDraft; parts: SaidPart[] | string } | null>(null);
  const parts = said?.of === draft ? said.parts : sayRule(draft, ruleNames);
  const navigation = useNavigation();
  const pressed = navigation.formData?.get("intent");
  const errorOf = toErrorOf(refusal);

  function follow(event: FormEvent<HTMLFormElement>): void {
    const read = readRuleDraft({ ...readRuleForm(new FormData(event.currentTarget)), name: "x" }, Date.now());
    setSaid({ of: draft, parts: read.ok ? sayRule(read.draft, ruleNames) : read.message });
  }

  return (
    <>
      <p
        aria-live="polite"
        className="rounded-md border-mark-edge border-l-3 bg-mark/25 px-4 py-3 text-base leading-relaxed"
      >
        {typeof parts === "string" ? parts : <AlertSentence parts={parts} leads />}
      </p>
      <div className="alert-columns">
        <Form id={ALERT_FORM_ID} method="post" onInput={follow} preventScrollReset className="grid gap-4">
          {changedAt !== null && <input type="hidden" name="changedAt" value={changedAt} />}
          <fieldset disabled={!mayChange} className="contents">
            <Card className="alert-field grid gap-4 p-4">
              <TextField
                label="Name"
                name="name"
                required
                maxLength={MAX_RULE_NAME}
                defaultValue={draft.name}
                autoComplete="off"
                placeholder="Checkout breaks for many"
                error={errorOf("name")}
              />
              <AlertProjects
                draft={draft}
                names={names}
                mayChooseAll={mayChooseAll}
                hiddenProjects={hiddenProjects}
                error={errorOf("projects")}
              />
            </Card>
            <Card className="alert-field grid gap-3 p-4">
              <AlertTriggers triggers={draft.triggers} error={errorOf("triggers")} />
            </Card>
            <Card className="alert-field grid gap-3 p-4">
              <SelectField
                id={FIELD_IDS.match}
                label="If it fits"
                name="match"
                defaultValue={draft.match}
                className="max-w-60"
              >
                <option value="all">all of the conditions</option>
                <option value="any">any of the conditions</option>
                <option value="none">none of the conditions</option>
              </SelectField>
              <span id={FIELD_IDS.conditions}>
                <CodeLinesField
                  label="Conditions, one a line"
                  name="conditions"
                  rows={3}
                  autoComplete="off"
                  placeholder={"environment:production\nlevel:[error, fatal]"}
                  defaultValue={draft.conditions.join("\n")}
                  hint="Each is a search, as in the list of issues. Empty: every issue. A number counts only events that fit."
                  error={errorOf("conditions")}
                />
              </span>
            </Card>
            <Card className="alert-field grid gap-4 p-4">
              <AlertReceivers
                names={names}
                actions={draft.actions}
                error={errorOf("actions")}
                isMailSetUp={isMailSetUp}
              />
              <span id={FIELD_IDS.frequency}>
                <SelectField
                  label="Again for the same issue"
                  name="frequency"
                  defaultValue={String(draft.frequencyMinutes)}
                  className="max-w-60"
                  error={errorOf("frequency")}
                >
                  {toOptions(
                    [...new Set([...FREQUENCIES, draft.frequencyMinutes])].sort((one, other) => one - other),
                    (minutes) => [minutes, minutes === 0 ? "each time" : `not within ${sayMinutes(minutes)}`],
                  )}
                </SelectField>
              </span>
              <AlertSteps names={names} steps={draft.steps} error={errorOf("steps")} />
              <CheckboxField label="Enabled" name="isEnabled" defaultChecked={draft.isEnabled} />
            </Card>
            {mayChange && (
              <div className="flex flex-wrap gap-2">
                <Button type="submit" name="intent" value="save" variant="primary" isPending={pressed === "save"}>
                  {rule ? "Save" : "Create the rule"}
                </Button>
              </div>
            )}
          </fieldset>
        </Form>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
      </div>
    </>
  );
}
