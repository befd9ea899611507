import { useState } from "react";
import { Form } from "react-router";
import { MONITOR_DEFAULTS, MONITOR_UNITS, type MonitorConfig } from "../../domain/monitor.ts";
import { Button } from "../../ui/button.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toOptions } from "../../ui/options.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";
import { sayInZone } from "./cron-words.ts";
import type { SchedulePreview } from "./schedule-words.server.ts";
import { useSchedulePreview } from "./use-schedule-preview.ts";

export function CronForm({
  intent,
  submit,
  projects,
  values,
  preview: first,
  error,
  typed,
}: {
  intent: string;
  submit: string;
  /** The projects to choose from. Absent: the monitor belongs to one already. */
  projects?: ReadonlyArray<{ slug: string; name: string }>;
  values: { name: string; slug: string; config: MonitorConfig | null };
  preview: SchedulePreview | null;
  error: { field: string | null; message: string } | null;
  /** What was typed into a form that was refused. Null: nothing was. */
  typed: TypedFields | null;
}) {
  const { config } = values;
  const { text } = beginWith(typed, intent);
  const [type, setType] = useState(text("type", config?.schedule.type ?? "crontab"));
  const [preview, look] = useSchedulePreview(first);
  const field = toFieldOf(error);
  // A fault that was refused is shown at its field already.
  const isSaidAtField = (fault: string | null) => fault !== null && fault === error?.message;
  const numberField = (
    name: string,
    key: "checkinMargin" | "maxRuntime" | "failureIssueThreshold" | "recoveryThreshold",
    label: string,
    hint?: string,
  ) => (
    <TextField
      label={label}
      {...field(name, text(name, String(config?.[key] ?? MONITOR_DEFAULTS[key])))}
      inputMode="numeric"
      hint={hint}
    />
  );
  return (
    <Form method="post" className="grid gap-4" onInput={({ currentTarget }) => look(currentTarget)}>
      {error && error.field === null && <Notice tone="error" title={error.message} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {projects && (
          <SelectField label="Project" {...field("project", text("project", undefined))} className="sm:col-span-2">
            {toOptions(projects, ({ slug, name }) => [slug, name])}
          </SelectField>
        )}
        <TextField label="Name" {...field("name", text("name", values.name))} autoComplete="off" />
        <CodeField
          label="Slug"
          {...field("slug", text("slug", values.slug))}
          hint="Check-ins name it. Empty: made of the name."
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Schedule"
          name="type"
          defaultValue={type}
          onChange={({ currentTarget }) => setType(currentTarget.value === "interval" ? "interval" : "crontab")}
        >
          <option value="crontab">Crontab</option>
          <option value="interval">Interval</option>
        </SelectField>
        <div hidden={type !== "crontab"}>
          <CodeField
            label="Crontab"
            {...field(
              "crontab",
              text("crontab", config?.schedule.type === "crontab" ? config.schedule.value : "0 2 * * *"),
            )}
            hint="Minute, hour, day of month, month, day of week."
          />
        </div>
        <div hidden={type !== "interval"} className={type === "interval" ? "grid grid-cols-2 gap-2" : undefined}>
          <TextField
            label="Every"
            {...field("value", text("value", String(config?.schedule.type === "interval" ? config.schedule.value : 1)))}
            inputMode="numeric"
          />
          <SelectField
            label="Unit"
            name="unit"
            defaultValue={text("unit", config?.schedule.type === "interval" ? config.schedule.unit : "hour")}
          >
            {toOptions(MONITOR_UNITS)}
          </SelectField>
        </div>
        <CodeField
          label="Time zone"
          {...field("timezone", text("timezone", config?.timezone ?? MONITOR_DEFAULTS.timezone))}
          hint="Of the server that runs the job, like Europe/Berlin."
        />
        {preview && !isSaidAtField(preview.fault) && <DuePreview preview={preview} />}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {numberField("margin", "checkinMargin", "Margin (minutes)", "A run is missed when nothing comes until then.")}
        {numberField("maxRuntime", "maxRuntime", "Longest run (minutes)")}
        {numberField("failures", "failureIssueThreshold", "Failures before an issue opens")}
        {numberField("recoveries", "recoveryThreshold", "Good runs before it closes")}
      </div>
      <div>
        <Button type="submit" variant="primary" name="intent" value={intent}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}

/** The same instant in the reader's zone, if its time there is different. */
function OwnTime({ at, inZone }: { at: number; inZone: string }) {
  const isHydrated = useIsHydrated();
  const own = isHydrated ? sayInZone(at, Intl.DateTimeFormat().resolvedOptions().timeZone) : inZone;
  return own === inZone ? null : <span className="tabular text-muted text-xs">for you {own}</span>;
}

/** The next due times in the monitor's zone and in the reader's. */
function DuePreview({ preview }: { preview: SchedulePreview }) {
  if (preview.fault !== null)
    return (
      <p role="status" className="text-error text-sm">
        {preview.fault}
      </p>
    );
  return (
    <div role="status" className="grid gap-1.5 text-sm">
      <p className="font-semibold">{preview.words}</p>
      <ol className="grid gap-0.5" aria-label="Next due times">
        {preview.due.map(({ at, inZone }) => (
          <li key={at} className="flex flex-wrap gap-x-3">
            <span className="tabular">{inZone}</span>
            <OwnTime at={at} inZone={inZone} />
          </li>
        ))}
      </ol>
      {preview.clockChange && <p className="text-muted text-xs">{preview.clockChange}</p>}
    </div>
  );
}
