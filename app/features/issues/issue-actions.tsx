import { Archive, CircleCheck, RotateCcw, Trash2 } from "lucide-react";
import type { FetcherWithComponents } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useMay } from "../frame/use-may.tsx";
import { ArchiveOptions } from "./archive-options.tsx";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { type ResolveChoices, ResolveOptions } from "./resolve-options.tsx";

type StatusFetcher = FetcherWithComponents<ChangeStatusResult>;

/** The buttons of the issue's page: resolve, archive and reopen, each with its choices, and delete. */
export function IssueActions({
  issue,
  resolveChoices,
  fetcher,
}: {
  issue: Issue;
  resolveChoices: ResolveChoices;
  fetcher: StatusFetcher;
}) {
  const mayChange = useMay("event:write");
  const mayDelete = useMay("event:admin");
  const pending = fetcher.formData?.get("status");
  const action = `/issues/${issue.id}`;
  if (!mayChange) return null;
  if (issue.status !== "unresolved") {
    return (
      <div className="issue-actions">
        <ButtonForm
          form={fetcher.Form}
          action={action}
          name="status"
          value="unresolved"
          variant="primary"
          icon={<RotateCcw aria-hidden="true" />}
          isPending={pending === "unresolved"}
          data-shortcut="e"
        >
          Reopen
        </ButtonForm>
        {issue.status === "archived" && (
          <ArchiveOptions action={action} archived={{ hasRule: issue.archive !== null }} form={fetcher.Form} />
        )}
        {mayDelete && <DeleteIssue issue={issue} />}
      </div>
    );
  }
  return (
    <div className="issue-actions">
      <div className="flex gap-1">
        <fetcher.Form id="issue-status" method="post" action={action}>
          <Button
            type="submit"
            name="status"
            value="resolved"
            variant="primary"
            icon={<CircleCheck aria-hidden="true" />}
            isPending={pending === "resolved"}
            data-shortcut="e"
          >
            Resolve
          </Button>
        </fetcher.Form>
        <ResolveOptions action={action} choices={resolveChoices} form={fetcher.Form} />
      </div>
      <div className="flex gap-1">
        <Button
          type="submit"
          form="issue-status"
          name="status"
          value="archived"
          icon={<Archive aria-hidden="true" />}
          isPending={pending === "archived"}
          data-shortcut="m"
        >
          Archive
        </Button>
        <ArchiveOptions action={action} form={fetcher.Form} />
      </div>
      {mayDelete && <DeleteIssue issue={issue} />}
    </div>
  );
}

function DeleteIssue({ issue: { id, shortId, eventCount } }: { issue: Issue }) {
  return (
    <ConfirmDialog
      title={`Delete ${shortId}?`}
      trigger={{ variant: "quiet", icon: <Trash2 aria-hidden="true" />, children: "Delete…" }}
      explanation={
        <>
          <p>
            Its {eventCount === 1 ? "event" : `${eventCount.toLocaleString("en")} events`}, all attachments and its
            activity are gone at once, and from the payload files within a day. This cannot be undone.
          </p>
          <p>If the error happens again, it makes a new issue. To hear no more of it, archive the issue instead.</p>
        </>
      }
    >
      <ButtonForm action={`/issues/${id}`} name="intent" value="delete" variant="danger">
        Delete issue
      </ButtonForm>
    </ConfirmDialog>
  );
}

/** What became of a change, with its undo. */
export function StatusNotice({
  result,
  issueId,
  fetcher,
}: {
  result: ChangeStatusResult;
  issueId: number;
  fetcher: StatusFetcher;
}) {
  if (!result.ok) return <Notice tone="error">{result.message}</Notice>;
  return (
    <Notice
      tone="done"
      actions={
        result.undo && (
          <ButtonForm
            form={fetcher.Form}
            action={`/issues/${issueId}`}
            fields={{ undo: result.undo }}
            size="sm"
            data-shortcut="u"
          >
            Undo
          </ButtonForm>
        )
      }
    >
      {result.message}
    </Notice>
  );
}
