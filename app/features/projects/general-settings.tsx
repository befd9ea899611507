import type { Project } from "../../domain/project.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { PlatformField } from "./platform-field.tsx";

export function GeneralSettings({
  project,
  error,
}: {
  project: Project;
  error: { field: string; message: string } | null;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  return (
    <Panel title="General">
      <IntentForm intent="general" submit="Save" variant="primary">
        <TextField label="Name" {...field("name", project.name)} required maxLength={64} />
        <TextField
          label="Slug"
          {...field("slug", project.slug)}
          required
          maxLength={50}
          hint="Used in addresses and in the ids of new issues. Issues keep the ids that they have."
        />
        <PlatformField
          value={project.platform}
          hint="Decides which snippets the set-up page shows first."
          error={errorOf("platform")}
        />
      </IntentForm>
    </Panel>
  );
}
