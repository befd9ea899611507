import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { QuietHoursView } from "./get-quiet-hours.server.ts";

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The choice when the viewer wants no mail about issues. */
export function QuietHoursPanel({
  view,
  error,
}: {
  view: QuietHoursView;
  error: { field: string; message: string } | null;
}) {
  const { hours, quietUntil, held, sendsMail } = view;
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  const isHydrated = useIsHydrated();
  const ownZone = isHydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const daysError = errorOf("days");
  return (
    <Panel
      id="quiet-hours"
      title="Quiet hours"
      description="Messages about issues wait until quiet hours end. Then each project's messages come as one."
      actions={
        hours && (
          <ButtonForm name="intent" value="quiet-hours-off" variant="quiet" size="sm">
            Turn off
          </ButtonForm>
        )
      }
    >
      <div className="grid gap-4">
        {quietUntil !== null && hours && (
          <Notice title={`Quiet until ${quietUntil} (${hours.timezone})`}>
            {held.length === 0 ? (
              <p>Nothing waits.</p>
            ) : (
              <>
                <p>What waits until then:</p>
                <ul className="list-disc pl-5">
                  {held.map(({ project, changeCount }) => (
                    <li key={project}>
                      {project}: {changeCount.toLocaleString("en")} {changeCount === 1 ? "change" : "changes"}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Notice>
        )}
        {hours === null && <p className="text-sm">You have none: you are told at any hour.</p>}
        {!sendsMail && <p className="text-sm">This server sends no mail. Your browsers keep quiet, too.</p>}
        <IntentForm intent="quiet-hours" submit={hours === null ? "Turn on quiet hours" : "Save quiet hours"}>
          <div className="grid grid-cols-2 items-start gap-4">
            <TextField label="From" {...field("from", hours?.from ?? "22:00")} type="time" required />
            <TextField
              label="To"
              {...field("to", hours?.to ?? "07:00")}
              type="time"
              required
              hint="The next day, unless it is later. The same time: a whole day."
            />
          </div>
          <fieldset aria-describedby={daysError ? "quiet-days-error" : undefined}>
            <legend className="mb-2 font-semibold text-sm">Beginning on</legend>
            <div className="flex flex-wrap gap-x-4 gap-y-2">
              {DAYS.map((day, index) => (
                <CheckboxField
                  key={day}
                  name="days"
                  value={index + 1}
                  label={day}
                  defaultChecked={hours === null || hours.days.includes(index + 1)}
                />
              ))}
            </div>
            {daysError && (
              <p id="quiet-days-error" className="mt-1 text-error text-xs">
                {daysError}
              </p>
            )}
          </fieldset>
          <CodeField
            key={hours === null ? ownZone : "saved"}
            label="Your time zone"
            {...field("timezone", hours?.timezone ?? ownZone)}
            required
            hint="A name like Europe/Berlin. Summer time is kept."
          />
          <CheckboxField
            name="high"
            value="on"
            label="Issues of high priority come through"
            hint="They are told at once, with what waits of the project."
            defaultChecked={hours?.letsHighThrough ?? false}
          />
        </IntentForm>
      </div>
    </Panel>
  );
}
