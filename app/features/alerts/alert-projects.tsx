import type { AlertRuleDraft } from "../../domain/alerts/alert-rule.ts";
import { FIELD_IDS } from "../../domain/alerts/say-rule.ts";
import { CheckboxField, SelectField } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { AlertPage } from "./get-alert-page.server.ts";

/** Chooses the projects of a rule: all, those of a team, or some of them. */
export function AlertProjects({
  draft,
  names,
  mayChooseAll,
  hiddenProjects,
  error,
}: Pick<AlertPage, "names" | "mayChooseAll" | "hiddenProjects"> & { draft: AlertRuleDraft; error: string | null }) {
  return (
    <fieldset id={FIELD_IDS.projects} className="group/projects grid gap-2">
      <legend className="pb-2 font-semibold text-sm">Projects</legend>
      {mayChooseAll && (
        <CheckboxField
          label="All projects, also those that come later"
          name="allProjects"
          defaultChecked={draft.projectIds === null && !draft.teamId}
        />
      )}
      {names.teams.length > 0 && (
        <SelectField
          label="Which projects"
          name="projectsOf"
          defaultValue={draft.teamId ? `team:${draft.teamId}` : ""}
          className="max-w-80 group-has-[[name=allProjects]:checked]/projects:hidden"
        >
          <option value="">Those that are chosen here</option>
          {toOptions(names.teams, ({ id, slug }) => [`team:${id}`, `Those of #${slug}, also those that come later`])}
        </SelectField>
      )}
      <div className="grid max-h-48 gap-2 overflow-y-auto -ml-0.5 pl-0.5 group-has-[[name=allProjects]:checked]/projects:hidden group-has-[option:checked:not([value=''])]/projects:hidden">
        {names.projects.map(({ id, slug }) => (
          <CheckboxField
            key={id}
            label={slug}
            name="project"
            value={id}
            defaultChecked={draft.projectIds?.includes(id) ?? false}
          />
        ))}
      </div>
      {hiddenProjects > 0 && <p className="text-muted text-xs">And {hiddenProjects} that you do not see.</p>}
      <GroupError message={error} />
    </fieldset>
  );
}
