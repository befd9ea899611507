import { ROLES } from "../../domain/people/roles.ts";
import { Panel } from "../../ui/card.tsx";
import { CheckboxField, SelectField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { EmailField } from "../auth/credential-fields.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";
import { ROLE_WORDS, sayReach } from "./access-words.ts";
import type { MemberPage } from "./get-member.server.ts";

export function RoleForm({ page: { member, isOwner } }: { page: MemberPage }) {
  return (
    <Panel title="Role" description={sayReach(member.role)}>
      <IntentForm intent="role" submit="Save role">
        <SelectField label="Role" name="role" defaultValue={member.role}>
          {toOptions(
            ROLES.filter((role) => isOwner || role !== "owner"),
            (role) => [role, `${ROLE_WORDS[role].label}: ${ROLE_WORDS[role].may}`],
          )}
        </SelectField>
      </IntentForm>
    </Panel>
  );
}

/** The teams and single projects of a member, in one form. */
export function AccessForm({ page: { member, teams, projects } }: { page: MemberPage }) {
  return (
    <Panel title="Teams and projects" description="Changes hold from the next request, also of open pages.">
      <IntentForm intent="access" submit="Save teams and projects">
        <fieldset className="grid gap-2">
          <legend className="pb-1.5 font-semibold text-sm">Teams</legend>
          <input type="hidden" name="team-before" value={member.teamIds.join()} />
          {teams.length === 0 && <p className="text-muted text-sm">There is no team yet.</p>}
          {teams.map(({ id, name }) => (
            <CheckboxField
              key={id}
              name="team"
              value={id}
              defaultChecked={member.teamIds.includes(id)}
              label={<span className="wrap-anywhere">{name}</span>}
            />
          ))}
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="pb-1.5 font-semibold text-sm">Projects that they see without a team</legend>
          <input type="hidden" name="project-before" value={member.projectIds.join()} />
          {projects.map(({ id, name }) => (
            <CheckboxField
              key={id}
              name="project"
              value={id}
              defaultChecked={member.projectIds.includes(id)}
              label={<span className="wrap-anywhere">{name}</span>}
            />
          ))}
        </fieldset>
      </IntentForm>
    </Panel>
  );
}

/** Changes the address of a member who cannot read mail to the present one. */
export function AddressForm({ page: { member }, typed }: { page: MemberPage; typed: TypedFields | null }) {
  return (
    <Panel
      title="E-mail"
      description="For somebody who cannot confirm another address themselves. The former address hears of it where the server sends mail."
    >
      <IntentForm intent="address" submit="Change address">
        <EmailField
          hint="They sign in with it."
          defaultValue={beginWith(typed, "address").text("email", member.email)}
          autoComplete="off"
        />
      </IntentForm>
    </Panel>
  );
}
