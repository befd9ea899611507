import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";

export function OriginSettings({ origins, error }: { origins: string[]; error: string | null }) {
  return (
    <Panel
      title="Allowed origins"
      description="The sites from which browsers may send. Servers and apps send no origin and are always allowed."
    >
      <IntentForm intent="origins" submit="Save origins">
        <CodeLinesField
          label="Origins, one a line"
          hint="Like https://shop.example.com, or *.example.com for all its subdomains. If empty, every origin may send."
          error={error}
          name="origins"
          rows={4}
          placeholder="https://shop.example.com"
          defaultValue={origins.join("\n")}
        />
      </IntentForm>
    </Panel>
  );
}
