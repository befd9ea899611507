import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";

export function ServiceSettings({
  services,
  error,
}: {
  services: ReadonlyArray<{ service: string; project: string }>;
  error: string | null;
}) {
  return (
    <Panel
      title="OpenTelemetry services"
      description="A collector sends many services with one key of this project. Here you say which of them belong to other projects."
    >
      <IntentForm intent="services" submit="Save services">
        <CodeLinesField
          label="Services with their projects, one a line"
          hint="A service.name, =, and the slug of a project. A * at the end stands for any rest. The first line that fits decides; other services stay here."
          error={error}
          name="services"
          rows={4}
          placeholder={"checkout = shop\npayment-* = payments"}
          defaultValue={services.map(({ service, project }) => `${service} = ${project}`).join("\n")}
        />
      </IntentForm>
    </Panel>
  );
}
