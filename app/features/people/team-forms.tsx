import type { Team } from "../../domain/people/team.ts";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";

import { beginWith, type TypedFields } from "../input/typed-fields.ts";

type FieldError = { field: string; message: string } | null;

/** Makes a team, or renames one. */
export function TeamNameForm({
  team,
  typed,
  error,
}: {
  team: Team | null;
  typed: TypedFields | null;
  error: FieldError;
}) {
  const field = toFieldOf(error);
  const begin = beginWith(typed, team ? "rename" : "create");
  return (
    <Panel title={team ? "Name" : "New team"}>
      <IntentForm intent={team ? "rename" : "create"} submit={team ? "Save name" : "Create team"}>
        <TextField
          label="Name"
          {...field("name", begin.text("name", team?.name))}
          required
          maxLength={64}
          autoComplete="off"
        />
        <TextField
          label="Slug"
          {...field("slug", begin.text("slug", team?.slug))}
          maxLength={50}
          autoComplete="off"
          hint="Used in addresses. If empty, it is made from the name."
        />
      </IntentForm>
    </Panel>
  );
}

export interface TeamChoices {
  members: Array<{ userId: number; name: string; email: string }>;
  projects: Array<{ id: number; name: string }>;
  /** Whether the viewer may decide that a team has every project. */
  mayTakeAll: boolean;
}

export function TeamAccessForm({ team, choices }: { team: Team; choices: TeamChoices }) {
  const { members, projects, mayTakeAll } = choices;
  return (
    <Panel title="Members and projects" description="Members see the projects. Changes hold from the next request.">
      <IntentForm intent="access" submit="Save members and projects">
        <fieldset className="grid gap-2">
          <legend className="pb-1.5 font-semibold text-sm">Members</legend>
          <input type="hidden" name="member-before" value={team.memberIds.join()} />
          {members.map(({ userId, name, email }) => (
            <CheckboxField
              key={userId}
              name="member"
              value={userId}
              defaultChecked={team.memberIds.includes(userId)}
              label={
                <span className="wrap-anywhere">
                  {name} <span className="text-muted">{email}</span>
                </span>
              }
            />
          ))}
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="pb-1.5 font-semibold text-sm">Projects</legend>
          <input type="hidden" name="project-before" value={team.projectIds.join()} />
          <input type="hidden" name="all-before" value={Number(team.hasAllProjects)} />
          {mayTakeAll ? (
            <CheckboxField
              name="all"
              value="1"
              defaultChecked={team.hasAllProjects}
              label="Every project"
              hint="Also those that come later."
            />
          ) : (
            team.hasAllProjects && <input type="hidden" name="all" value="1" />
          )}
          {projects.map(({ id, name }) => (
            <CheckboxField
              key={id}
              name="project"
              value={id}
              defaultChecked={team.projectIds.includes(id)}
              label={<span className="wrap-anywhere">{name}</span>}
            />
          ))}
        </fieldset>
      </IntentForm>
    </Panel>
  );
}

export function DeleteTeam({ team }: { team: Team }) {
  return (
    <ConfirmDialog
      title={`Delete the team ${team.name}?`}
      trigger={{ variant: "quiet", children: "Delete team…" }}
      explanation={
        <p>Its members stay members. They do not see its projects any more, unless they see them in another way.</p>
      }
    >
      <ButtonForm name="intent" value="delete" variant="danger">
        Delete team
      </ButtonForm>
    </ConfirmDialog>
  );
}
