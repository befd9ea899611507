import { API_SCOPES, type ApiScope, DEFAULT_TOKEN_LIFE_DAYS, TOKEN_LIVES_DAYS } from "../../domain/api-token.ts";
import { Panel } from "../../ui/card.tsx";
import { CheckboxField, SelectField, TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";
import { DEFAULT_SCOPES, SCOPE_WORDS } from "./scope-words.ts";

/** Makes a token: its kind, its purpose, its scopes. */
export function TokenForm({
  scopes,
  mayMakeForAll,
  projects,
  project,
  typed,
  error,
}: {
  /** The scopes that the viewer's role allows: a token cannot do more. */
  scopes: readonly ApiScope[];
  /** Whether the viewer may make tokens of the organization. */
  mayMakeForAll: boolean;
  projects: Array<{ slug: string; name: string }>;
  /** The slug of the project in the lines for the build. */
  project: string;
  typed: TypedFields | null;
  error: { field: string; message: string } | null;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  const begin = beginWith(typed, "create");
  return (
    <Panel title="New token" description="For sentry-cli, bundler plugins and your own scripts.">
      <IntentForm intent="create" submit="Create token" variant="primary">
        <TextField
          label="Name"
          {...field("name", begin.text("name", undefined))}
          required
          maxLength={64}
          autoComplete="off"
          placeholder="GitHub Actions"
          hint="The tool that will use it."
        />
        <SelectField
          label="Kind"
          {...field("kind", begin.text("kind", mayMakeForAll ? "organization" : "personal"))}
          hint={
            mayMakeForAll
              ? "An organization’s token belongs to nobody and carries this server’s address. A personal one acts as you."
              : "It acts as you. Owners and managers make tokens of the organization."
          }
        >
          {mayMakeForAll && <option value="organization">Organization, for builds</option>}
          <option value="personal">Personal, acts as you</option>
        </SelectField>
        <SelectField
          label="Expires"
          {...field("expires", begin.text("expires", String(DEFAULT_TOKEN_LIFE_DAYS)))}
          hint="After that, what uses it is answered 401. This page warns two weeks before. One that never expires works until somebody revokes it."
        >
          {toOptions(TOKEN_LIVES_DAYS, (days) => [days, days === 365 ? "In a year" : `In ${days} days`])}
          <option value="never">Never</option>
        </SelectField>
        <fieldset className="grid gap-2" aria-describedby={errorOf("scopes") ? "scopes-error" : undefined}>
          <legend className="pb-1.5 font-semibold text-sm">What it may do</legend>
          {errorOf("scopes") && (
            <p id="scopes-error" role="alert" className="text-error text-xs">
              {errorOf("scopes")}
            </p>
          )}
          {FORM_SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => (
            <CheckboxField
              key={scope}
              name="scope"
              value={scope}
              defaultChecked={begin.isChecked("scope", scope, DEFAULT_SCOPES.includes(scope))}
              label={<span className="font-mono">{scope}</span>}
              hint={SCOPE_WORDS[scope]}
            />
          ))}
        </fieldset>
        {projects.length > 0 && (
          <SelectField
            label="Project"
            name="project"
            defaultValue={begin.text("project", project)}
            hint={`Only for the lines that you copy. The token works for every project${mayMakeForAll ? "" : " that you see"}.`}
          >
            {toOptions(projects, ({ slug, name }) => [slug, name])}
          </SelectField>
        )}
      </IntentForm>
    </Panel>
  );
}

/**
 * The scopes that builds need come first. `uptime:check` is left out: the token of a location is made with the location, and
 * another token with this scope could do nothing.
 */
const FORM_SCOPES = API_SCOPES.filter((scope) => scope !== "uptime:check").toSorted(
  (a, b) => Number(DEFAULT_SCOPES.includes(b)) - Number(DEFAULT_SCOPES.includes(a)),
);
