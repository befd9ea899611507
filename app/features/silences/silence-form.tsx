import { MAX_ENVIRONMENT, MAX_REASON, SILENCE_CHOICES } from "../../domain/alerts/silence.ts";
import { Panel } from "../../ui/card.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { Field, SelectField, TextField } from "../../ui/field.tsx";
import { InstantInput } from "../../ui/instant-input.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { SilencesPage } from "./list-silences.server.ts";
import type { SilenceResult } from "./silence-result.ts";

/** A form that makes a silence: what it covers, until when, and why. */
export function SilenceForm({
  page: { rules, projects, environments, mayChooseAll },
  refusal,
}: {
  page: SilencesPage;
  refusal: Extract<SilenceResult, { ok: false }> | null;
}) {
  const errorOf = toErrorOf(refusal);
  const field = toFieldOf(refusal);
  const isHydrated = useIsHydrated();
  return (
    <Panel
      title="New silence"
      description={
        mayChooseAll
          ? "Your choices hold together: a project and an environment silence that environment of that project."
          : "Your choices hold together. Choose a rule or a project."
      }
    >
      <IntentForm intent="silence" submit="Silence" variant="primary">
        <SelectField label="Project" name="project" defaultValue="" error={errorOf("project") ?? errorOf("covers")}>
          <option value="">any</option>
          {toOptions(projects, ({ id, slug }) => [id, slug])}
        </SelectField>
        <SelectField label="Alert rule" {...field("rule", "")}>
          <option value="">any</option>
          {toOptions(rules, ({ id, name }) => [id, name])}
        </SelectField>
        <TextField
          label="Environment"
          {...field("environment")}
          list="silenced-environments"
          maxLength={MAX_ENVIRONMENT}
          autoComplete="off"
          placeholder="any"
        />
        <datalist id="silenced-environments">
          {environments.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <div className="group/how-long grid gap-4">
          <SelectField
            label="How long"
            name="for"
            defaultValue={errorOf("until") ? "" : "1h"}
            hint="“Until tomorrow” ends at 08:00 UTC."
          >
            {toOptions(SILENCE_CHOICES, ({ name, label }) => [name, label])}
            <option value="">Until a time of your choice</option>
          </SelectField>
          <Field
            label="Until"
            hint={`In ${isHydrated ? "your time zone" : "UTC"}, at most 30 days from now.`}
            error={errorOf("until")}
            className="group-has-[option:checked:not([value=''])]/how-long:hidden"
          >
            {(control) => <InstantInput {...control} name="until" />}
          </Field>
        </div>
        <TextField
          label="Reason"
          {...field("reason")}
          maxLength={MAX_REASON}
          autoComplete="off"
          placeholder="Deploy of 2.16"
        />
      </IntentForm>
    </Panel>
  );
}
