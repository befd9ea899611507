import { Link, useFetcher, useLocation, useSearchParams } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import type { Assignee } from "../../domain/issues/triage.ts";
import type { Project } from "../../domain/project.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonClassNames } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Count } from "../../ui/count.tsx";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { NameText } from "../../ui/name-text.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { CopyPageButton } from "../markdown/copy-page-button.tsx";
import { ProjectMark } from "../projects/project-mark.tsx";
import { AnswerInSight } from "./answer-in-sight.tsx";
import { ArchivedNotice } from "./archived-notice.tsx";
import type { ChangeStatusResult } from "./change-status.server.ts";
import type { IssuePage } from "./get-issue-page.server.ts";
import { isSaidByHeadline } from "./headline.ts";
import { IssueActions, StatusNotice } from "./issue-actions.tsx";
import { findTab, toIssuePath } from "./issue-paths.ts";
import { IssueStatusBadge } from "./issue-status-badge.tsx";
import { IssueTriage } from "./issue-triage.tsx";
import { LeftOutNotice } from "./left-out-notice.tsx";
import type { ResolveChoices } from "./resolve-options.tsx";
import { ReleaseName, ResolvedNotice } from "./resolved-notice.tsx";

/** The title, the status and the actions of the issue. */
export function IssueHeader({
  issue,
  readAt,
  project,
  resolveChoices,
  assignees,
  leftOut,
  result,
}: {
  issue: Issue;
  readAt: number;
  project: Project;
  resolveChoices: ResolveChoices;
  assignees: readonly Assignee[];
  leftOut: IssuePage["leftOut"];
  /** The answer to a form that was posted without script. Null: there was none. */
  result: ChangeStatusResult | null;
}) {
  // The buttons change with the status. The focus moves from a pressed button to the button that replaces it.
  const header = useKeptFocus<HTMLElement>((element) => element.querySelector(".issue-actions button"));
  // Posted in the background, so that the reader stays at the same event.
  const fetcher = useFetcher<ChangeStatusResult>({ key: `status of issue ${issue.id}` });
  const last = fetcher.data ?? result;
  // The page is reloaded after a change, and an older load may arrive after it. The next action must not wait for that: a person
  // who reads that the change was undone may press the key that archives the issue.
  const isBehind = last?.ok === true && (fetcher.state === "loading" || (last.at !== undefined && readAt < last.at));
  const status = isBehind ? last.status : issue.status;
  // The message about a change is out of date once another change has come.
  const answer = last?.ok && fetcher.state === "idle" && last.status !== status ? null : last;
  const headline = issue.type ?? issue.title;
  return (
    <header ref={header} className="issue-header">
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
          <li className="flex h-5.5 items-center gap-1 font-mono before:pr-0.5 before:text-faint before:content-['/']">
            {issue.shortId}
            <CopyButton text={issue.shortId} isIcon label="Copy short id" />
            <CopyPageButton path={`/issues/${issue.id}`} label="Copy issue as Markdown" />
          </li>
        </ol>
      </nav>
      <div className="issue-title">
        <h1>
          <NameText text={headline} />
        </h1>
        {!isSaidByHeadline(issue) && <IssueMessage text={issue.value} />}
      </div>
      <div className="issue-work">
        <IssueActions issue={{ ...issue, status }} resolveChoices={resolveChoices} fetcher={fetcher} />
        <IssueTriage issue={issue} assignees={assignees} fetcher={fetcher} />
        <ToActivity issueId={issue.id} />
      </div>
      <IssueFacts issue={issue} />
      {answer && (
        <AnswerInSight key={JSON.stringify(answer)}>
          <StatusNotice result={answer} issueId={issue.id} fetcher={fetcher} />
        </AnswerInSight>
      )}
      {!answer && issue.status === "resolved" && <ResolvedNotice issue={issue} />}
      {!answer && issue.status === "archived" && <ArchivedNotice issue={issue} />}
      {leftOut && <LeftOutNotice slug={project.slug} leftOut={leftOut} isGraphWhole={leftOut.isGraphWhole} />}
    </header>
  );
}

/** With only one column, comments, snooze and the rest of the activity are below the whole event. */
function ToActivity({ issueId }: { issueId: number }) {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const hash = "#issue-activity";
  return (
    <Link
      to={findTab(pathname) === null ? { search: `${search}`, hash } : `${toIssuePath(issueId, "", search)}${hash}`}
      className={`${buttonClassNames("quiet")} issue-to-activity px-2!`}
    >
      Activity
    </Link>
  );
}

/** Characters. A longer message is one line until it is pressed. */
const LONG_MESSAGE_CHARACTERS = 90;

function IssueMessage({ text }: { text: string }) {
  if (text.length <= LONG_MESSAGE_CHARACTERS && !text.includes("\n")) {
    return (
      <p className="issue-message">
        <bdi>{text}</bdi>
      </p>
    );
  }
  return (
    <details className="issue-message" data-tip="Show all of it">
      <summary>
        <bdi>{text}</bdi>
      </summary>
    </details>
  );
}

/** One line: level, status, place, number of events, and since when. */
function IssueFacts({ issue }: { issue: Issue }) {
  const { culprit, logger, eventCount, userCount } = issue;
  return (
    <ul className="issue-facts" aria-label="Facts of this issue">
      <li className="flex items-center gap-2">
        <LevelMark level={issue.level} showWord />
        <IssueStatusBadge status={issue.status} substatus={issue.substatus} />
        {issue.isUnhandled && <Badge tone="error">Unhandled</Badge>}
      </li>
      {culprit && (
        <li className="min-w-0 font-mono">
          <NameText text={culprit} />
        </li>
      )}
      <li>
        <Count value={eventCount} unit={eventCount === 1 ? "event" : "events"} className="font-semibold text-ink" />{" "}
        <span aria-hidden="true">{eventCount === 1 ? "event" : "events"}</span>
      </li>
      <li>
        <Count value={userCount} unit={userCount === 1 ? "user" : "users"} className="font-semibold text-ink" />{" "}
        <span aria-hidden="true">{userCount === 1 ? "user" : "users"}</span>
      </li>
      <SeenFact name="first" at={issue.firstSeenAt} release={issue.firstRelease} />
      <SeenFact name="last" at={issue.lastSeenAt} release={issue.lastRelease} />
      {logger && (
        <li className="font-mono">
          <bdi>{logger}</bdi>
        </li>
      )}
    </ul>
  );
}

function SeenFact({ name, at, release }: { name: string; at: number; release: string | null }) {
  return (
    <li>
      {name} <RelativeTime at={at} />
      {release !== null && (
        <>
          {" in "}
          <ReleaseName version={release} />
        </>
      )}
    </li>
  );
}
