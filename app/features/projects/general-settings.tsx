import { Form } from "react-router";
import type { Project } from "../../domain/project.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { PLATFORMS } from "./platforms.ts";

export function GeneralSettings({
  project,
  error,
}: {
  project: Project;
  error: { field: string; message: string } | null;
}) {
  const errorOf = (field: string) => (error?.field === field ? error.message : null);
  return (
    <Panel title="General">
      <Form method="post" className="grid max-w-form gap-4">
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
          hint="In addresses. Numbers that issues have already keep theirs."
          error={errorOf("slug")}
        />
        <SelectField
          label="Platform"
          name="platform"
          defaultValue={project.platform}
          hint="Decides which snippets the set-up page shows first."
          error={errorOf("platform")}
        >
          {PLATFORMS.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
        <div>
          <Button type="submit" name="intent" value="general" variant="primary">
            Save
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
