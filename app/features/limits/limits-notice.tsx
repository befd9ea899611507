import { Notice } from "../../ui/notice.tsx";
import type { LimitResult } from "./limit-result.ts";
import { UndoRemoval } from "./quota-panel.tsx";
import { toTypedLimit } from "./quota-words.ts";

/** The result of the last form, if no field shows it. */
export function LimitsNotice({ result }: { result: LimitResult | undefined }) {
  if (result === undefined) return null;
  if (result.ok) {
    const { message, removed } = result;
    return (
      <Notice
        tone="done"
        title={message}
        actions={removed && <UndoRemoval removed={removed} typed={toTypedLimit(removed)} />}
      />
    );
  }
  return result.field === "intent" ? <Notice tone="error" title={result.message} /> : null;
}
