import { type FormEvent, useState } from "react";
import { Form, useNavigation } from "react-router";
import {
  type AlertRuleDraft,
  CHANGE_TRIGGERS,
  COUNT_TRIGGERS,
  isCountTrigger,
  MAX_COUNT,
  MAX_RULE_NAME,
  MAX_WINDOW_MINUTES,
} from "../../domain/alerts/alert-rule.ts";
import { readRuleDraft } from "../../domain/alerts/read-rule-draft.ts";
import { readRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { FIELD_IDS, type SaidPart, sayMinutes, sayRule } from "../../domain/alerts/say-rule.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Checkbox, CheckboxField, Input, SelectField, TextareaField, TextField } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import { toOptions } from "../../ui/options.tsx";
import { AlertReceivers } from "./alert-receivers.tsx";
import type { AlertResult } from "./alert-result.ts";
import { AlertSentence } from "./alert-sentence.tsx";
import { AlertSteps } from "./alert-steps.tsx";
import type { AlertPage } from "./get-alert-page.server.ts";
import { toRuleNames } from "./rule-names.ts";

const TRIGGER_WORDS: Record<(typeof CHANGE_TRIGGERS)[number], string> = {
  new: "It is new",
  regressed: "It comes back after it was resolved",
  unarchived: "It comes back from the archive",
  escalating: "It escalates: more events than its own past lets expect",
  resolved: "It is resolved",
  "high-priority": "It becomes high in priority",
};
export const ALERT_FORM_ID = "alert-rule";
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
  const errorOf = (field: string) => (refusal?.field === field ? refusal.message : null);

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
              <fieldset id={FIELD_IDS.projects} className="group/projects grid gap-2">
                <legend className="pb-2 font-semibold text-sm">Projects</legend>
                {mayChooseAll && (
                  <CheckboxField
                    label="All projects, also those that come later"
                    name="allProjects"
                    defaultChecked={draft.projectIds === null && !draft.teamId}
                  />
                )}
                {names.teams.length > 0 && (
                  <SelectField
                    label="Which projects"
                    name="projectsOf"
                    defaultValue={draft.teamId ? `team:${draft.teamId}` : ""}
                    className="max-w-80 group-has-[[name=allProjects]:checked]/projects:hidden"
                  >
                    <option value="">Those that are chosen here</option>
                    {toOptions(names.teams, ({ id, slug }) => [
                      `team:${id}`,
                      `Those of #${slug}, also those that come later`,
                    ])}
                  </SelectField>
                )}
                <div className="grid max-h-48 gap-2 overflow-y-auto -ml-0.5 pl-0.5 group-has-[[name=allProjects]:checked]/projects:hidden group-has-[option:checked:not([value=''])]/projects:hidden">
                  {names.projects.map(({ id, slug }) => (
                    <CheckboxField
                      key={id}
                      label={slug}
                      name="project"
                      value={id}
                      defaultChecked={draft.projectIds?.includes(id) ?? false}
                    />
                  ))}
                </div>
                {hiddenProjects > 0 && <p className="text-muted text-xs">And {hiddenProjects} that you do not see.</p>}
                <GroupError message={errorOf("projects")} />
              </fieldset>
            </Card>
            <Card className="alert-field grid gap-3 p-4">
              <fieldset className="grid gap-2.5">
                <legend className="pb-2 font-semibold text-sm">When one of these happens to an issue</legend>
                {CHANGE_TRIGGERS.map((kind) => (
                  <span key={kind} id={FIELD_IDS.trigger({ kind })}>
                    <CheckboxField
                      label={TRIGGER_WORDS[kind]}
                      name="trigger"
                      value={kind}
                      defaultChecked={draft.triggers.some((trigger) => trigger.kind === kind)}
                    />
                  </span>
                ))}
                {COUNT_TRIGGERS.map((kind) => {
                  const known = draft.triggers.find((trigger) => isCountTrigger(trigger) && trigger.kind === kind);
                  const { count, minutes } = known && isCountTrigger(known) ? known : { count: 20, minutes: 10 };
                  return (
                    <span
                      key={kind}
                      id={FIELD_IDS.trigger({ kind, count, minutes })}
                      className="flex flex-wrap items-center gap-2 text-sm max-sm:gap-1"
                    >
                      <Checkbox
                        name="trigger"
                        value={kind}
                        aria-label={`It reaches a number of ${kind}`}
                        defaultChecked={known !== undefined}
                      />
                      It reaches
                      <Input
                        controlSize="sm"
                        className="max-w-20 max-sm:max-w-14"
                        type="number"
                        min={1}
                        max={MAX_COUNT}
                        name={`${kind}Count`}
                        aria-label={`Number of ${kind}`}
                        defaultValue={count}
                      />
                      {kind} in
                      <Input
                        controlSize="sm"
                        className="max-w-20 max-sm:max-w-14"
                        type="number"
                        min={1}
                        max={MAX_WINDOW_MINUTES}
                        name={`${kind}Minutes`}
                        aria-label={`Minutes for the number of ${kind}`}
                        defaultValue={minutes}
                      />
                      minutes
                    </span>
                  );
                })}
                <GroupError message={errorOf("triggers")} />
              </fieldset>
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
                <TextareaField
                  label="Conditions, one a line"
                  name="conditions"
                  rows={3}
                  spellCheck={false}
                  autoComplete="off"
                  className="[&_textarea]:font-mono"
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
