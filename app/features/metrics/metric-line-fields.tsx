import { Card } from "../../ui/card.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";

/** The lines of a monitor, and what the figure is compared with. `isOfGoal`: the goal of the project gives the lines. */
export function MetricLineFields({
  values,
  refusal,
  isOfGoal,
}: {
  values: Record<string, string>;
  refusal: Parameters<typeof toFieldOf>[0];
  isOfGoal: boolean;
}) {
  const field = toFieldOf(refusal);
  const lineField = (name: "critical" | "warning" | "recovery", label: string, hint: string) => (
    <TextField label={label} {...field(name, values[name])} inputMode="decimal" autoComplete="off" hint={hint} />
  );
  return (
    <Card className="grid gap-4 p-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField label="Compared with" {...field("comparison", values.comparison)}>
          <option value="none">A line</option>
          <option value="week">The same time last week, in percent</option>
          <option value="goal">The project’s target and floor</option>
        </SelectField>
        <div hidden={isOfGoal}>
          <SelectField label="It is a problem when it is" {...field("direction", values.direction)}>
            <option value="above">above the line</option>
            <option value="below">below the line</option>
          </SelectField>
        </div>
      </div>
      <div hidden={isOfGoal} className="grid items-start gap-4 sm:grid-cols-3">
        {lineField("critical", "Critical", "A number, milliseconds or percent")}
        {lineField("warning", "Warning", "Comes first; empty: none")}
        {lineField("recovery", "Recovered at", "Empty: back over the same line")}
      </div>
      <p hidden={!isOfGoal} className="text-muted text-xs">
        Of sessions that crash, and of users with a crash. Below the project’s target is a warning, below its floor is
        critical, as on the pages of releases. The lines follow when somebody changes the project’s goal.
      </p>
      <p hidden={isOfGoal} className="text-muted text-xs">
        For “nothing came for a while”, count and choose below 1. A change in percent is negative when it falls: below
        −50 is less than half.
      </p>
    </Card>
  );
}
