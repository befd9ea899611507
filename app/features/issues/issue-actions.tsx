import { Archive, CircleCheck, Ellipsis, RotateCcw, Share2, Trash2 } from "lucide-react";
import { useId } from "react";
import { type FetcherWithComponents, Link } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import { Button, buttonClassNames } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Popover } from "../../ui/popover.tsx";
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
        <MoreActions issue={issue} mayDelete={mayDelete} />
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
      <MoreActions issue={issue} mayDelete={mayDelete} />
    </div>
  );
}

/** Rare actions, behind one button. So the other buttons fit beside each other on a phone. */
function MoreActions({ issue, mayDelete }: { issue: Issue; mayDelete: boolean }) {
  const dialogId = useId();
  return (
    <>
      {/* What the command palette presses while the panel is closed. */}
      <Link hidden to={`/issues/${issue.id}/share`} data-command="Share by a link…" />
      {mayDelete && <button hidden type="button" popoverTarget={dialogId} data-command="Delete…" />}
      <Popover
        label="More actions"
        align="end"
        triggerClassName={`${buttonClassNames("quiet")} px-2!`}
        trigger={
          <>
            <Ellipsis aria-hidden="true" />
            <span className="sr-only">More actions</span>
          </>
        }
      >
        <div className="grid w-48 gap-1 text-sm">
          <Link to={`/issues/${issue.id}/share`} className="menu-item">
            <Share2 aria-hidden="true" />
            Share by a link…
          </Link>
          {mayDelete && (
            <button
              type="button"
              className="menu-item"
              data-danger="true"
              popoverTarget={dialogId}
              aria-haspopup="dialog"
            >
              <Trash2 aria-hidden="true" />
              Delete…
            </button>
          )}
        </div>
      </Popover>
      {mayDelete && <DeleteIssue issue={issue} dialogId={dialogId} />}
    </>
  );
}

function DeleteIssue({ issue: { id, shortId, eventCount }, dialogId }: { issue: Issue; dialogId: string }) {
  return (
    <ConfirmDialog
      id={dialogId}
      title={`Delete ${shortId}?`}
      trigger={null}
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

/** The result of a change, with its undo. */
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
