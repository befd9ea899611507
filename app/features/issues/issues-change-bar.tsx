import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { ToastBar } from "../../ui/toast.tsx";
import type { IssuesChangeAnswer } from "./change-listed-issues.server.ts";
import { sayIssuesChange } from "./say-issues-change.ts";

/** The result of a change that was posted without script, with its undo as a form. */
export function IssuesChangeBar({ answer, path }: { answer: IssuesChangeAnswer; path: string }) {
  const undo = answer.ok && "undo" in answer ? answer.undo : null;
  return (
    <div role="status" className="py-2">
      <ToastBar message={sayIssuesChange(answer)} tone={answer.ok ? "done" : "failed"}>
        {undo && (
          <Form method="post" action={path}>
            <input type="hidden" name="previous" value={undo} />
            <Button type="submit" name="intent" value="undo" size="sm" variant="primary">
              Undo
            </Button>
          </Form>
        )}
      </ToastBar>
    </div>
  );
}
