import type { Project } from "../../domain/project.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf } from "../../ui/intent-form.tsx";
import { PlatformField } from "./platform-field.tsx";

export function GeneralSettings({
  project,
  error,
}: {
  project: Project;
  error: { field: string; message: string } | null;
}) {
  const errorOf = toErrorOf(error);
  return (
    <Panel title="General">
      <IntentForm intent="general" submit="Save" variant="primary">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={64}
          defaultValue={project.name}
          error={errorOf("name")}
        />
        <TextField
          label="Slug"
          name="slug"
          required
          maxLength={50}
          defaultValue={project.slug}
          hint="Used in addresses and in the ids of new issues. Issues keep the ids that they have."
          error={errorOf("slug")}
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
