import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Field, Textarea } from "../../ui/field.tsx";

export function OriginSettings({ origins, error }: { origins: string[]; error: string | null }) {
  return (
    <Panel
      title="Allowed origins"
      description="From which sites browsers may send. Servers and apps, which send no origin, always may."
    >
      <Form method="post" className="grid max-w-form gap-4">
        <Field
          label="Origins, one a line"
          hint="Like https://shop.example.com, or *.example.com for all below it. Empty allows every origin."
          error={error}
        >
          {(ids) => (
            <Textarea
              {...ids}
              name="origins"
              rows={4}
              spellCheck={false}
              className="font-mono"
              placeholder="https://shop.example.com"
              defaultValue={origins.join("\n")}
            />
          )}
        </Field>
        <div>
          <Button type="submit" name="intent" value="origins">
            Save origins
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
