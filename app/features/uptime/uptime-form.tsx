import { Form } from "react-router";
import { UPTIME_INTERVALS, UPTIME_LIMITS, UPTIME_METHODS } from "../../domain/uptime/uptime-monitor.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { NamedLocation, UptimeField } from "./read-uptime-form.ts";
import { UptimePlaceFields } from "./uptime-place-fields.tsx";
import { sayEvery } from "./uptime-words.ts";

/** A form for what is checked, how often, and when it counts as up. */
export function UptimeForm({
  values,
  error,
  projects,
  project = "",
  locations,
  allowsPrivate,
  submit,
}: {
  values: Record<UptimeField, string>;
  error: { field: string; message: string } | null;
  /** The projects to choose from for a new monitor. The form needs one of them. */
  projects?: ReadonlyArray<{ slug: string; name: string }>;
  project?: string;
  /** The other places that may check it. */
  locations: readonly NamedLocation[];
  allowsPrivate: boolean;
  submit: string;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  return (
    <Form method="post" className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {projects && (
          <SelectField label="Project" {...field("project", project)}>
            {toOptions(projects, ({ slug, name }) => [slug, name])}
          </SelectField>
        )}
        <TextField label="Name" {...field("name", values.name)} required maxLength={UPTIME_LIMITS.nameChars} />
      </div>
      <CodeField
        label="Address"
        {...field("address", values.address)}
        required
        hint={`A URL, or a host and its port: https://example.com/health, db.example.com:5432.${allowsPrivate ? "" : " It must be on the public internet, unless the server is started with ALLOW_PRIVATE_CHECKS=1."}`}
      />
      <div className="grid items-start gap-4 sm:grid-cols-4">
        <SelectField label="Check" {...field("interval", values.interval)}>
          {toOptions(UPTIME_INTERVALS, (seconds) => [seconds, sayEvery(seconds)])}
        </SelectField>
        <TextField label="Time limit" {...field("timeout", values.timeout)} inputMode="numeric" hint="Milliseconds" />
        <TextField
          label="Certificate"
          {...field("certificate", values.certificate)}
          inputMode="numeric"
          hint="Warn so many days before it ends; empty: never"
        />
        <TextField
          label="Environment"
          {...field("environment", values.environment)}
          hint="Of the issues; may be empty"
        />
      </div>
      {locations.length > 0 && (
        <UptimePlaceFields
          places={values.places}
          downAt={values.downAt}
          locations={locations}
          errors={{ places: errorOf("places"), downAt: errorOf("downAt") }}
        />
      )}
      <CodeLinesField
        label="Assertions"
        {...field("assertions", values.assertions)}
        rows={Math.min(20, Math.max(4, values.assertions.split("\n").length))}
        placeholder={"status 200-299\ntime under 800 ms\nheader content-type contains json\njson status.db is up"}
        hint="One a line, all must hold: status, time, header, body or json, and is, is not, contains, lacks, exists or is absent. None: any status from 200 to 399."
      />
      <details className="grid gap-4" open={["method", "headers", "body"].includes(error?.field ?? "")}>
        <summary className="cursor-pointer font-semibold text-sm">Method, headers and body</summary>
        <div className="grid gap-4 pt-3">
          <SelectField label="Method" {...field("method", values.method)} className="max-w-40">
            {toOptions(UPTIME_METHODS)}
          </SelectField>
          <CodeLinesField
            label="Headers"
            {...field("headers", values.headers)}
            rows={3}
            hint="Name: value, one a line. They are sent to this server alone, not to those it redirects to, and shown to those alone who may change this monitor."
          />
          <CodeLinesField label="Body" {...field("body", values.body)} rows={3} hint="Of POST" />
        </div>
      </details>
      <div>
        <Button type="submit" variant="primary" name="intent" value="save">
          {submit}
        </Button>
      </div>
    </Form>
  );
}
