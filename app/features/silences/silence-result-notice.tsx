import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { SilenceResult } from "./silence-result.ts";

/** The result of a form, with its undo. */
export function SilenceResultNotice({ result }: { result: SilenceResult | null }) {
  if (result === null) return null;
  if (!result.ok) return <Notice tone="error" title={result.message} />;
  const { intent, ...fields } = result.undo ?? {};
  return (
    <Notice
      tone="done"
      title={result.message}
      actions={
        intent && (
          <ButtonForm size="sm" name="intent" value={intent} fields={fields} data-shortcut="u">
            Undo
          </ButtonForm>
        )
      }
    />
  );
}
