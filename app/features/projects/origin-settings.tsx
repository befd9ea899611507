import { Panel } from "../../ui/card.tsx";
import { TextareaField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";

export function OriginSettings({ origins, error }: { origins: string[]; error: string | null }) {
  return (
    <Panel
      title="Allowed origins"
      description="From which sites browsers may send. Servers and apps, which send no origin, always may."
    >
      <IntentForm intent="origins" submit="Save origins">
        <TextareaField
          label="Origins, one a line"
          hint="Like https://shop.example.com, or *.example.com for all below it. Empty allows every origin."
          error={error}
          name="origins"
          rows={4}
          spellCheck={false}
          className="[&_textarea]:font-mono"
          placeholder="https://shop.example.com"
          defaultValue={origins.join("\n")}
        />
      </IntentForm>
    </Panel>
  );
}
