import { Form, useNavigation } from "react-router";
import type { RuleTexts } from "../../domain/grouping-rules/project-rules.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { useMay } from "../frame/use-may.tsx";

const FINGERPRINT_EXAMPLE = `# The first rule that holds decides.
error.type:DatabaseError message:"*timed out*" -> database-timeout
stack.function:chargeCard -> {{ default }}, {{ tags.bank }} title="Card declined: {{ error.value }}"`;

const STACK_EXAMPLE = `# All rules are looked at. Later ones override.
stack.abs_path:**/generated/** -app
family:native stack.function:panic_* ^-group -group`;

/** Both texts of rules in one form, because they are tried and saved together. */
export function RulesForm({
  texts,
  rules,
  error,
}: {
  /** The initial values of the fields. If a form was refused, the values that were typed. */
  texts: RuleTexts;
  rules: { revision: number; changedAt: number | null; changedBy: { name: string } | null };
  error: { field: string | null; message: string } | null;
}) {
  const mayChange = useMay("project:write");
  const pending = useNavigation().formData?.get("intent");
  const field = toFieldOf(error);
  return (
    <Panel title="Rules" description={<RulesAuthor {...rules} />}>
      <Form method="post" className="grid gap-4">
        <input type="hidden" name="revision" value={rules.revision} />
        <CodeLinesField
          label="Fingerprint rules, one a line"
          hint="matchers -> fingerprint. The first rule that holds takes the place of the fingerprint that the application set."
          {...field("fingerprintRules", texts.fingerprintRules)}
          rows={6}
          wrap="off"
          readOnly={!mayChange}
          placeholder={mayChange ? FINGERPRINT_EXAMPLE : "Nobody has written any."}
        />
        <CodeLinesField
          label="Stack-trace rules, one a line"
          hint="matchers, and then what they do to a frame: +app, -app, +group, -group, max-frames=N."
          {...field("stackRules", texts.stackRules)}
          rows={4}
          wrap="off"
          readOnly={!mayChange}
          placeholder={mayChange ? STACK_EXAMPLE : "Nobody has written any."}
        />
        {mayChange && (
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" name="intent" value="preview" isPending={pending === "preview"}>
              Preview
            </Button>
            <Button type="submit" name="intent" value="save" variant="primary" isPending={pending === "save"}>
              Save rules
            </Button>
            <p className="text-muted text-xs">
              They hold for events that come from then on. Stored events keep their issues until you move them.
            </p>
          </div>
        )}
      </Form>
    </Panel>
  );
}

function RulesAuthor({ changedAt, changedBy }: { changedAt: number | null; changedBy: { name: string } | null }) {
  if (changedAt === null) return "Nobody has written any. Culprit's own rules decide.";
  return (
    <>
      Last changed by {changedBy?.name ?? "a token, or somebody who is gone"} on <AbsoluteTime at={changedAt} />.
    </>
  );
}
