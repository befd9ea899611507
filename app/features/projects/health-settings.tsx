import { type HealthGoal, MIN_HEALTH_SHARE } from "../../domain/releases/release-health.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";

/** The goals of the project for its releases. */
export function HealthSettings({
  goal,
  error,
}: {
  goal: HealthGoal;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  return (
    <Panel
      title="Release health"
      description="The share of sessions that should end without a crash. Releases and this project are held against it."
    >
      <IntentForm intent="health" submit="Save the target">
        <TextField
          label="Target in percent"
          {...field("target", toPercent(goal.target))}
          inputMode="decimal"
          required
          className="max-w-72"
          hint="The crashes that it allows are the budget of a release."
        />
        <TextField
          label="Floor in percent"
          {...field("floor", toPercent(goal.floor))}
          inputMode="decimal"
          required
          className="max-w-72"
          hint={`Below it, something has to be done. At least ${MIN_HEALTH_SHARE * 100}, at most the target.`}
        />
      </IntentForm>
    </Panel>
  );
}

function toPercent(share: number): string {
  return String(Math.round(share * 1e5) / 1e3);
}
