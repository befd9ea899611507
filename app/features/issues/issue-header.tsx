import { Archive, CircleCheck, RotateCcw } from "lucide-react";
import { type FetcherWithComponents, Link, useFetcher } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import type { Project } from "../../domain/project.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Count } from "../../ui/count.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ProjectMark } from "../projects/project-mark.tsx";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { type ResolveChoices, ResolveOptions } from "./resolve-options.tsx";
import { ResolvedNotice } from "./resolved-notice.tsx";

/** What the issue is, how it stands, and what can be done about it. */
export function IssueHeader({
  issue,
  project,
  resolveChoices,
  result,
}: {
  issue: Issue;
  project: Project;
  resolveChoices: ResolveChoices;
  /** Of a form that was posted without script. */
  result: ChangeStatusResult | null;
}) {
  // In the background, so that one stays at the event that one looks at.
  const fetcher = useFetcher<ChangeStatusResult>({ key: `status of issue ${issue.id}` });
  const last = fetcher.data ?? result;
  // What was said of a change does not hold any more when another one has come since.
  const answer = last?.ok && fetcher.state === "idle" && last.status !== issue.status ? null : last;
  // The page is reloaded after a change. What can be done next must not wait for that: whoever is told that it was put back
  // may press the key that archives it.
  const status = fetcher.state === "loading" && fetcher.data?.ok ? fetcher.data.status : issue.status;
  return (
    <header className="grid gap-3">
      <nav aria-label="Breadcrumb">
        <ol className="flex flex-wrap items-center gap-1.5 text-muted text-xs">
          <li>
            <Link to="/issues" prefetch="intent" className="hover:text-ink hover:underline">
              Issues
            </Link>
          </li>
          <li className="flex items-center gap-1.5 before:text-faint before:content-['/']">
            <ProjectMark platform={project.platform} className="size-4" />
            <Link to={`/issues?project=${project.slug}`} prefetch="intent" className="hover:text-ink hover:underline">
              {project.slug}
            </Link>
          </li>
          <li className="flex items-center gap-1 font-mono before:pr-0.5 before:text-faint before:content-['/']">
            {issue.shortId}
            <CopyButton text={issue.shortId} isIcon label="Copy short id" />
          </li>
        </ol>
      </nav>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="font-mono text-lg leading-snug">{issue.type ?? issue.title}</h1>
          {issue.type && issue.value && (
            <p className="line-clamp-4 whitespace-pre-line pt-0.5 font-mono text-sm">{issue.value}</p>
          )}
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1.5 text-muted text-sm">
            <LevelMark level={issue.level} showWord />
            <StatusBadge issue={issue} />
            {issue.isUnhandled && <Badge tone="error">Unhandled</Badge>}
            {issue.culprit && <span className="min-w-0 font-mono">{issue.culprit}</span>}
            {issue.logger && <span className="font-mono text-faint">{issue.logger}</span>}
          </p>
        </div>
        <dl className="flex gap-6">
          <Total name="Events" value={issue.eventCount} unit={issue.eventCount === 1 ? "event" : "events"} />
          <Total name="Users" value={issue.userCount} unit={issue.userCount === 1 ? "user" : "users"} />
        </dl>
      </div>
      <StatusActions issue={{ ...issue, status }} resolveChoices={resolveChoices} fetcher={fetcher} />
      {answer && <StatusNotice result={answer} issueId={issue.id} fetcher={fetcher} />}
      {!answer && issue.status === "resolved" && <ResolvedNotice issue={issue} />}
      {!answer && issue.status === "archived" && (
        <Notice>
          Archived <RelativeTime at={issue.statusChangedAt} />. New events are counted, and nobody is told.
        </Notice>
      )}
    </header>
  );
}

function Total({ name, value, unit }: { name: string; value: number; unit: string }) {
  return (
    <div className="grid text-right">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="text-lg">
        <Count value={value} unit={unit} />
      </dd>
    </div>
  );
}

function StatusBadge({ issue }: { issue: Issue }) {
  if (issue.status === "resolved") return <Badge tone="resolved">Resolved</Badge>;
  if (issue.status === "archived") return <Badge tone="archived">Archived</Badge>;
  if (issue.substatus === "regressed") return <Badge tone="regressed">Regressed</Badge>;
  if (issue.substatus === "new") return <Badge tone="fresh">New</Badge>;
  return <Badge tone="neutral">Ongoing</Badge>;
}

type StatusFetcher = FetcherWithComponents<ChangeStatusResult>;

function StatusActions({
  issue,
  resolveChoices,
  fetcher,
}: {
  issue: Issue;
  resolveChoices: ResolveChoices;
  fetcher: StatusFetcher;
}) {
  const pending = fetcher.formData?.get("status");
  const action = `/issues/${issue.id}`;
  if (issue.status !== "unresolved") {
    return (
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
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
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
    </div>
  );
}

function StatusNotice({
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
