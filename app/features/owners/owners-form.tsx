import { Form, useNavigation } from "react-router";
import type { OwnershipSettings } from "../../domain/ownership/ownership-settings.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { useMay } from "../frame/use-may.tsx";

const EXAMPLE = `# The last rule that matches decides.
path:src/billing/* #billing ada@example.com
url:https://shop.example.com/checkout* #billing
tags.region:eu grace@example.com`;

/** The rules, and whether they assign issues. They can be tried on stored events before they are saved. */
export function OwnersForm({
  ownership,
  typed,
  error,
}: {
  ownership: OwnershipSettings;
  /** Values that were tried or refused, to correct them. */
  typed: Record<string, string> | undefined;
  error: { field: string | null; message: string } | null;
}) {
  const mayChange = useMay("project:write");
  const pending = useNavigation().formData?.get("intent");
  const field = toFieldOf(error);
  return (
    <Panel title="Rules" description="They say who works on which errors. The last rule that matches decides.">
      <Form method="post" className="grid gap-4">
        <CodeLinesField
          label="Ownership rules, one a line"
          hint="path:, module:, url:, tags.NAME: or codeowners:, a pattern, and owners: e-mail addresses of members, or teams like #billing."
          {...field("text", typed?.text ?? ownership.text)}
          rows={8}
          wrap="off"
          readOnly={!mayChange}
          placeholder={mayChange ? EXAMPLE : "Nobody has written any."}
        />
        <CheckboxField
          label="Assign new issues by these rules"
          hint="Also issues that come back. An issue that was ever assigned, by hand or by a rule, stays as it is. While this is off, the rules only suggest."
          name="assigning"
          disabled={!mayChange}
          defaultChecked={typed ? typed.assigning === "on" : ownership.isAssigning}
        />
        {mayChange && (
          <>
            <TextField
              label="Event to try them on"
              hint="Its id. Empty: the newest 20 events of the project."
              {...field("event", typed?.event ?? "")}
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              className="max-w-form [&_input]:font-mono"
            />
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" name="intent" value="try" isPending={pending === "try"}>
                Try
              </Button>
              <Button type="submit" name="intent" value="save" variant="primary" isPending={pending === "save"}>
                Save rules
              </Button>
            </div>
          </>
        )}
      </Form>
    </Panel>
  );
}
