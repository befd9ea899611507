import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { Assignee } from "../../domain/issues/triage.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { useMay } from "../frame/use-may.tsx";
import { useReader } from "../frame/use-reader.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { CommentField } from "./comment-field.tsx";
import type { IssuePage } from "./get-issue-page.server.ts";

/** The field of a new comment. */
export function NewComment({ issueId, people }: { issueId: number; people: readonly Assignee[] }) {
  const mayComment = useMay("event:write");
  const fetcher = useFetcher<ChangeStatusResult>();
  const form = useRef<HTMLFormElement>(null);
  const isDone = fetcher.state === "idle" && fetcher.data?.ok === true;
  useEffect(() => {
    if (isDone) form.current?.reset();
  }, [isDone]);
  if (!mayComment) return null;
  return (
    <fetcher.Form ref={form} method="post" action={`/issues/${issueId}`} className="grid gap-1.5">
      <input type="hidden" name="intent" value="comment" />
      <CommentField label="Add a comment" people={people} shortcut="c" />
      {fetcher.data?.ok === false && (
        <p role="alert" className="text-error text-sm">
          {fetcher.data.message}
        </p>
      )}
      <div>
        <Button type="submit" size="sm" isPending={fetcher.state === "submitting"}>
          Comment
        </Button>
      </div>
    </fetcher.Form>
  );
}

/** A comment below its sentence. The author can change and delete it. */
export function CommentText({
  entry: { id, issueId, user, data },
  people,
}: {
  entry: IssuePage["activity"][number];
  people: readonly Assignee[];
}) {
  const reader = useReader();
  const mayComment = useMay("event:write");
  // The fetcher of the header, which shows the answer with its undo.
  const fetcher = useFetcher<ChangeStatusResult>({ key: `status of issue ${issueId}` });
  const text = typeof data.text === "string" ? data.text : "";
  const action = `/issues/${issueId}`;
  const details = useRef<HTMLDetailsElement>(null);
  return (
    <>
      <Markdown text={text} />
      {mayComment && reader !== null && reader.id === user?.id && (
        <div className="comment-actions">
          <details ref={details}>
            <summary>Edit</summary>
            <fetcher.Form
              method="post"
              action={action}
              className="grid gap-1.5 pt-1"
              onSubmit={() => {
                if (details.current) details.current.open = false;
              }}
            >
              <input type="hidden" name="intent" value="edit-comment" />
              <input type="hidden" name="comment" value={id} />
              <CommentField label="Change the comment" people={people} text={text} rows={5} />
              <div>
                <Button type="submit" size="sm">
                  Save
                </Button>
              </div>
            </fetcher.Form>
          </details>
          <ButtonForm
            form={fetcher.Form}
            action={action}
            fields={{ intent: "delete-comment", comment: id }}
            size="sm"
            variant="quiet"
          >
            Delete
          </ButtonForm>
        </div>
      )}
    </>
  );
}
