import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type AlertStep, MAX_STEP_MINUTES, MAX_STEPS } from "../../domain/alerts/alert-rule.ts";
import { STEP_FIELDS } from "../../domain/alerts/read-rule-form.ts";
import { FIELD_IDS } from "../../domain/alerts/say-rule.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import { AlertReceivers } from "./alert-receivers.tsx";
import type { RuleNameTable } from "./load-rule-names.server.ts";

/** Minutes from the step before to a new step. */
const FIRST_MINUTES = 15;

/** The steps of a rule: who is notified later, one step after the other, until somebody acknowledges. */
export function AlertSteps({
  names,
  steps,
  error,
}: {
  names: RuleNameTable;
  steps: readonly AlertStep[];
  error: string | null;
}) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const [shown, setShown] = useState(() => steps.map((step, key) => ({ key, step })));
  const nextKey = useRef(steps.length);

  /** Adds or removes fields. Then it updates the sentence, as typing does. */
  function change(next: typeof shown): void {
    flushSync(() => setShown(next));
    fieldset.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function add(): void {
    const last = shown.at(-1)?.step.afterMinutes ?? 0;
    const afterMinutes = last === 0 ? FIRST_MINUTES : Math.min(last * 2, MAX_STEP_MINUTES);
    nextKey.current += 1;
    change([...shown, { key: nextKey.current, step: { afterMinutes, actions: [] } }]);
    fieldset.current?.querySelector<HTMLElement>(`[name="${STEP_FIELDS.minutes(shown.length)}"]`)?.focus();
  }

  return (
    <fieldset ref={fieldset} className="grid gap-3">
      <legend className="pb-2 font-semibold text-sm">If nobody acknowledges it</legend>
      <p className="text-muted text-xs">
        Each step tells more people, so long after the first message, until somebody acknowledges the issue or deals
        with it. Steps wait for no quiet hours.
      </p>
      {shown.map(({ key, step }, index) => (
        <fieldset key={key} id={FIELD_IDS.step(index)} className="grid gap-3 rounded-md border border-line p-3">
          <legend className="sr-only">Step {index + 1}</legend>
          <div className="flex flex-wrap items-center gap-2 text-sm">
            <span className="font-semibold">Step {index + 1}</span> after
            <Input
              controlSize="sm"
              className="max-w-24"
              type="number"
              min={1}
              max={MAX_STEP_MINUTES}
              name={STEP_FIELDS.minutes(index)}
              aria-label={`Minutes until step ${index + 1}`}
              defaultValue={step.afterMinutes}
            />
            minutes
            <Button
              type="button"
              variant="quiet"
              size="sm"
              className="ml-auto"
              icon={<X aria-hidden="true" />}
              onClick={() => change(shown.filter((each) => each.key !== key))}
            >
              Remove step {index + 1}
            </Button>
          </div>
          <AlertReceivers
            names={names}
            actions={step.actions}
            legend="Tell"
            field={STEP_FIELDS.action(index)}
            error={null}
          />
        </fieldset>
      ))}
      <GroupError message={error} />
      {shown.length < MAX_STEPS && (
        <div>
          <Button type="button" size="sm" icon={<Plus aria-hidden="true" />} onClick={add}>
            Add a step
          </Button>
        </div>
      )}
    </fieldset>
  );
}
