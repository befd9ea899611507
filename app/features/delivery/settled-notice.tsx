import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { DeliveryResult } from "./delivery-result.ts";

/** The result of the last form. If it dropped messages, with an undo. */
export function SettledNotice({ result }: { result: DeliveryResult | undefined }) {
  if (result === undefined) return null;
  if (!result.ok) return result.field === "fallback" ? null : <Notice tone="error" title={result.message} />;
  const { message, dropped = [] } = result;
  return <Notice tone="done" title={message} actions={dropped.length > 0 && <UndoDrop dropped={dropped} />} />;
}

function UndoDrop({ dropped }: { dropped: readonly number[] }) {
  return (
    <Form method="post">
      {dropped.map((id) => (
        <input key={id} type="hidden" name="letter" value={id} />
      ))}
      <Button type="submit" name="intent" value="restore" size="sm" data-shortcut="u">
        Undo
      </Button>
    </Form>
  );
}
