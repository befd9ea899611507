import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { ToastBar } from "../../ui/toast.tsx";
import type { SaidChange } from "./say-issues-change.server.ts";

/** The result of a change that was posted without script. Its undo is a form. */
export function IssuesChangeBar({ answer, path }: { answer: SaidChange; path: string }) {
  return (
    <div role="status" className="py-2">
      <ToastBar message={answer.message} tone={answer.ok ? "done" : "failed"}>
        {answer.undo && (
          <Form method="post" action={path}>
            <input type="hidden" name="previous" value={answer.undo} />
            <Button type="submit" name="intent" value="undo" size="sm" variant="primary">
              Undo
            </Button>
          </Form>
        )}
      </ToastBar>
    </div>
  );
}
