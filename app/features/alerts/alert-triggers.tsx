import {
  type AlertTrigger,
  CHANGE_TRIGGERS,
  COUNT_TRIGGERS,
  isCountTrigger,
  MAX_COUNT,
  MAX_WINDOW_MINUTES,
} from "../../domain/alerts/alert-rule.ts";
import { FIELD_IDS } from "../../domain/alerts/say-rule.ts";
import { Checkbox, CheckboxField, Input } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";

const TRIGGER_WORDS: Record<(typeof CHANGE_TRIGGERS)[number], string> = {
  new: "It is new",
  regressed: "It comes back after it was resolved",
  unarchived: "It comes back from the archive",
  escalating: "It escalates: more events than its own past lets expect",
  resolved: "It is resolved",
  "high-priority": "It becomes high in priority",
};

/** Chooses what a rule waits for: changes of an issue, and numbers that it reaches. */
export function AlertTriggers({ triggers, error }: { triggers: readonly AlertTrigger[]; error: string | null }) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="pb-2 font-semibold text-sm">When one of these happens to an issue</legend>
      {CHANGE_TRIGGERS.map((kind) => (
        <span key={kind} id={FIELD_IDS.trigger({ kind })}>
          <CheckboxField
            label={TRIGGER_WORDS[kind]}
            name="trigger"
            value={kind}
            defaultChecked={triggers.some((trigger) => trigger.kind === kind)}
          />
        </span>
      ))}
      {COUNT_TRIGGERS.map((kind) => {
        const known = triggers.filter(isCountTrigger).find((trigger) => trigger.kind === kind);
        const { count, minutes } = known ?? { count: 20, minutes: 10 };
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
            <NumberInput label={`Number of ${kind}`} name={`${kind}Count`} value={count} max={MAX_COUNT} />
            {kind} in
            <NumberInput
              label={`Minutes for the number of ${kind}`}
              name={`${kind}Minutes`}
              value={minutes}
              max={MAX_WINDOW_MINUTES}
            />
            minutes
          </span>
        );
      })}
      <GroupError message={error} />
    </fieldset>
  );
}

function NumberInput({ label, name, value, max }: { label: string; name: string; value: number; max: number }) {
  return (
    <Input
      controlSize="sm"
      className="max-w-20 max-sm:max-w-14"
      type="number"
      min={1}
      max={max}
      name={name}
      aria-label={label}
      defaultValue={value}
    />
  );
}
