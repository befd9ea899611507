import type { ImportedCodeowners } from "../../domain/ownership/import-codeowners.ts";
import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useMay } from "../frame/use-may.tsx";

/** Makes ownership rules from a CODEOWNERS file. */
export function CodeownersForm({
  typed,
  error,
  imported,
}: {
  typed: string | undefined;
  error: { field: string | null; message: string } | null;
  /** The result of the last import, shown here because people look here afterwards. Null: there was none. */
  imported: { message: string; passedOver: ImportedCodeowners["passedOver"] } | null;
}) {
  const field = toFieldOf(error);
  if (!useMay("project:write")) return null;
  return (
    <Panel
      title="Import CODEOWNERS"
      description="Each line becomes a codeowners: rule ahead of your own rules, which override it. Rules of an earlier import are replaced."
    >
      {imported && (
        <Notice tone="done" title={imported.message} className="mb-4">
          {imported.passedOver.length > 0 && (
            <ul className="grid gap-0.5">
              {imported.passedOver.map(({ line, reason }) => (
                <li key={line} className="wrap-anywhere">
                  Line {line} of the file: {reason}
                </li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      <IntentForm key={imported?.message} intent="import" submit="Import" className="grid gap-4">
        <CodeLinesField
          label="Text of the file"
          hint="@acme/billing becomes the team #billing. E-mail addresses stay. Names of people on a code host are passed over: rules need an e-mail address."
          {...field("codeowners", error?.field === "codeowners" ? typed : "")}
          rows={4}
          wrap="off"
          placeholder={"/src/billing/ @acme/billing\n*.sql ada@example.com"}
        />
      </IntentForm>
    </Panel>
  );
}
