import { MAX_ORGANIZATION_NAME } from "../../domain/people/organization-name.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";

export function OrganizationForm({
  name,
  typed,
  error,
}: {
  name: string;
  typed: TypedFields | null;
  error: string | null;
}) {
  return (
    <Panel title="Organization" description="Invitations and mails name it. Its slug in the web API stays as it is.">
      <IntentForm intent="rename-organization" submit="Save name">
        <TextField
          label="Name of the organization"
          name="name"
          required
          maxLength={MAX_ORGANIZATION_NAME}
          autoComplete="organization"
          defaultValue={beginWith(typed, "rename-organization").text("name", name)}
          error={error}
        />
      </IntentForm>
    </Panel>
  );
}
