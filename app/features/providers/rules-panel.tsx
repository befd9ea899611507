import { Form } from "react-router";
import type { Provider } from "../../domain/people/provider.ts";
import type { ProviderRule } from "../../domain/people/provider-rules.ts";
import { ROLES } from "../../domain/people/roles.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckboxField, SelectField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";
import { ROLE_WORDS } from "../people/access-words.ts";
import type { RemovedRule } from "./change-provider.server.ts";

/** The rules that say which claims give which role and teams. */
export function RulesPanel({
  provider,
  teams,
  typed,
  error,
}: {
  provider: Provider;
  teams: ReadonlyArray<{ id: number; name: string }>;
  typed: TypedFields | null;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  const begin = beginWith(typed, "add-rule");
  const nameTeams = (ids: readonly number[]) =>
    teams
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => name)
      .join(", ");
  return (
    <Panel
      title="Rules"
      description="People whose claims match a rule get its role and teams. Matching rules add up. Without a match there is no access. People who were added by hand keep what they have."
      isFlush
    >
      {provider.rules.length === 0 ? (
        <EmptyState title="No rule yet">Nobody new gets access. Test the sign-in to see which claims come.</EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {provider.rules.map(({ claim, value, role, teamIds }) => (
            <li
              key={`${claim} ${value} ${role} ${teamIds.join()}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5"
            >
              <div className="mr-auto grid gap-0.5 text-sm">
                <code className="wrap-anywhere">
                  {claim} = {value}
                </code>
                <span className="text-muted text-xs">
                  {ROLE_WORDS[role].label}
                  {teamIds.length > 0 && `, in ${nameTeams(teamIds)}`}
                </span>
              </div>
              <Form method="post">
                <RuleFields rule={{ claim, value, role, teamIds }} />
                <Button
                  type="submit"
                  name="intent"
                  value="remove-rule"
                  size="sm"
                  variant="quiet"
                  aria-label={`Remove the rule ${claim} = ${value}`}
                >
                  Remove
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <div className="border-line border-t p-4">
        <IntentForm intent="add-rule" submit="Add rule">
          <CodeField
            label="Claim"
            {...field("claim", begin.text("claim", undefined))}
            required
            placeholder="groups"
            hint="A name, or a path like realm_access.roles."
          />
          <CodeField
            label="Value"
            {...field("value", begin.text("value", undefined))}
            required
            hint="One of a list, or the whole text. * is any value."
          />
          <SelectField label="Role" {...field("role", begin.text("role", "member"))}>
            {toOptions(ROLES, (role) => [role, ROLE_WORDS[role].label])}
          </SelectField>
          {teams.length > 0 && (
            <fieldset className="grid gap-2">
              <legend className="pb-1.5 font-semibold text-sm">Teams</legend>
              {teams.map(({ id, name }) => (
                <CheckboxField
                  key={id}
                  label={name}
                  name="team"
                  value={id}
                  defaultChecked={begin.isChecked("team", id, false)}
                />
              ))}
            </fieldset>
          )}
        </IntentForm>
      </div>
    </Panel>
  );
}

/** Restores the rule that was just removed. */
export function UndoRemoval({ removed: { rule, index, mark } }: { removed: RemovedRule }) {
  return (
    <Form method="post">
      <RuleFields rule={rule} />
      <input type="hidden" name="index" value={index} />
      <input type="hidden" name="mark" value={mark} />
      <Button type="submit" name="intent" value="restore-rule" size="sm" data-shortcut="u">
        Undo
      </Button>
    </Form>
  );
}

function RuleFields({ rule: { claim, value, role, teamIds } }: { rule: ProviderRule }) {
  return (
    <>
      <input type="hidden" name="claim" value={claim} />
      <input type="hidden" name="value" value={value} />
      <input type="hidden" name="role" value={role} />
      {teamIds.map((id) => (
        <input key={id} type="hidden" name="team" value={id} />
      ))}
    </>
  );
}
