import { ArrowLeft, ChevronDown, Download, UserRound } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Form, Link, useFetcher } from "react-router";
import { isCutMessage, MAX_MESSAGE_LENGTH } from "../../domain/feedback/feedback.ts";
import { toAssigneeName } from "../../domain/issues/triage.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import { Popover } from "../../ui/popover.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AttachmentPicture, hasPictureName } from "../events/attachment-picture.tsx";
import { useMay } from "../frame/use-may.tsx";
import { AssigneeList } from "../issues/assignee-list.tsx";
import { AssigneeMark } from "../issues/assignee-name.tsx";
import { ProjectMark } from "../projects/project-mark.tsx";
import { toReleasePath } from "../releases/release-paths.ts";
import { toWebUrl } from "../releases/to-web-url.ts";
import { type FeedbackFilters, toFeedbackPath } from "./feedback-filters.ts";
import { MAX_REPLAY_PARTS, nameSender, SPAM_WORDS, toMailLink } from "./feedback-words.ts";
import type { FeedbackFile, OpenFeedback } from "./get-feedback-page.server.ts";

/** One piece of feedback, with everything to which it leads. */
export function FeedbackDetail({ feedback, filters }: { feedback: OpenFeedback; filters: FeedbackFilters }) {
  const { id, name, email, message, receivedAt, status, spamReason, changedBy, changedAt, files, hasMoreFiles } =
    feedback;
  const mayChange = useMay("event:write");
  useMarkRead(feedback, mayChange);
  const mail = toMailLink(email);
  // An answer can remove buttons. For example, Spam is gone after it was pressed.
  const article = useKeptFocus<HTMLElement>();
  return (
    <article ref={article} tabIndex={-1} className="feedback-detail" aria-labelledby={`feedback-${id}`}>
      <Link to={toFeedbackPath(filters, { before: filters.before })} className="feedback-back">
        <ArrowLeft aria-hidden="true" />
        All messages
      </Link>
      <header className="grid gap-1">
        <h2 id={`feedback-${id}`} className="wrap-anywhere text-lg">
          <bdi>{nameSender({ name, email })}</bdi>
        </h2>
        <p className="wrap-anywhere text-muted text-sm">
          {email !== null && name !== null && (
            <>
              {mail ? (
                <a href={mail} className="text-link">
                  <bdi>{email}</bdi>
                </a>
              ) : (
                <bdi>{email}</bdi>
              )}{" "}
              ·{" "}
            </>
          )}
          <AbsoluteTime at={receivedAt} />
        </p>
      </header>
      {status !== "unresolved" && (
        <p className="rounded-md bg-sunken px-3 py-2 text-sm">
          {status === "resolved" ? "Resolved" : "In Spam"}
          {changedBy && <> by {changedBy.name}</>}
          {changedAt !== null && (
            <>
              , <AbsoluteTime at={changedAt} />
            </>
          )}
          . {spamReason !== null && spamReason !== "hand" && SPAM_WORDS[spamReason]}
        </p>
      )}
      <p className="feedback-text">
        <bdi>{message}</bdi>
      </p>
      {isCutMessage(message) && (
        <p className="text-muted text-sm">
          The message was longer. Culprit keeps its first {MAX_MESSAGE_LENGTH.toLocaleString("en")} characters.
        </p>
      )}
      {mayChange && <FeedbackActions feedback={feedback} filters={filters} />}
      {files.length > 0 && <FeedbackFiles files={files} hasMore={hasMoreFiles} />}
      <FeedbackFacts feedback={feedback} />
    </article>
  );
}

/** Marks feedback as read once when it is opened. If the person then marks it as unread, it stays so. */
function useMarkRead({ id, isRead }: OpenFeedback, mayChange: boolean): void {
  const fetcher = useFetcher();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message
  useEffect(() => {
    if (isRead || !mayChange) return;
    void fetcher.submit({ intent: "read", feedback: String(id) }, { method: "post", action: `/feedback/${id}` });
  }, [id]);
}

function FeedbackActions({ feedback, filters }: { feedback: OpenFeedback; filters: FeedbackFilters }) {
  const { id, status, isRead, assignee, assignees } = feedback;
  const here = toFeedbackPath(filters, { open: id });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Form method="post" action={here} preventScrollReset className="flex flex-wrap gap-2">
        <input type="hidden" name="feedback" value={id} />
        {status === "unresolved" ? (
          <Button type="submit" name="intent" value="resolve" variant="primary">
            Resolve
          </Button>
        ) : (
          <Button type="submit" name="intent" value={status === "spam" ? "not-spam" : "reopen"} variant="primary">
            {status === "spam" ? "Not spam" : "Reopen"}
          </Button>
        )}
        {status !== "spam" && (
          <Button type="submit" name="intent" value="spam">
            Spam
          </Button>
        )}
        <Button type="submit" name="intent" value={isRead ? "unread" : "read"} variant="quiet">
          Mark as {isRead ? "unread" : "read"}
        </Button>
      </Form>
      <Popover
        label="Assignee"
        align="end"
        shortcut="Shift+a"
        trigger={
          <>
            {assignee ? <AssigneeMark assignee={assignee} /> : <UserRound aria-hidden="true" />}
            <span className="sr-only">Assignee: </span>
            <bdi>{assignee ? toAssigneeName(assignee) : "Unassigned"}</bdi>
            <ChevronDown aria-hidden="true" />
          </>
        }
      >
        <Form method="post" action={here} preventScrollReset className="grid w-64 max-w-full">
          <input type="hidden" name="feedback" value={id} />
          <input type="hidden" name="intent" value="assign" />
          <AssigneeList assignees={assignees} current={assignee} button={(value) => ({ name: "to", value })} />
        </Form>
      </Popover>
    </div>
  );
}

function FeedbackFiles({ files, hasMore }: { files: readonly FeedbackFile[]; hasMore: boolean }) {
  return (
    <section aria-label="Files" className="grid gap-3">
      {files.map(({ path, name, size }) => (
        <figure key={path} className="grid gap-1">
          {hasPictureName(name) && <AttachmentPicture path={path} name={name} />}
          <figcaption className="flex flex-wrap items-center gap-2 text-sm">
            <Download aria-hidden="true" className="size-4 text-muted" />
            <a href={path} download className="text-link wrap-anywhere font-mono">
              <bdi>{name}</bdi>
            </a>
            {size !== null && <span className="text-muted text-xs">{formatBytes(size)}</span>}
          </figcaption>
        </figure>
      ))}
      {hasMore && (
        <p className="text-muted text-xs">
          These are the first {files.length} files. The web API lists the others as attachments of the event.
        </p>
      )}
    </section>
  );
}

function FeedbackFacts({ feedback }: { feedback: OpenFeedback }) {
  const {
    project,
    url,
    environment,
    release,
    browser,
    issue,
    aboutEventId,
    hasEvent,
    traceId,
    replayId,
    replayParts,
    source,
  } = feedback;
  const page = toWebUrl(url);
  return (
    <dl className="feedback-about">
      {issue && (
        <Fact label="Issue">
          <TextLink to={`/issues/${issue.id}`}>
            <bdi>{issue.title}</bdi>
          </TextLink>{" "}
          <span className="font-mono text-muted text-xs">{issue.shortId}</span>
        </Fact>
      )}
      {aboutEventId && (
        <Fact label="Event">
          {hasEvent ? (
            <TextLink to={`/events/${aboutEventId}`} className="font-mono">
              {aboutEventId.slice(0, 8)}
            </TextLink>
          ) : (
            <>
              <span className="font-mono">{aboutEventId.slice(0, 8)}</span>, which is not stored: it has not come, or
              has expired
            </>
          )}
        </Fact>
      )}
      {traceId && (
        <Fact label="Trace">
          <TextLink to={`/traces/${traceId}`} className="font-mono">
            {traceId.slice(0, 8)}
          </TextLink>
        </Fact>
      )}
      {replayId && (
        <Fact label="Replay">
          <span className="font-mono">{replayId.slice(0, 8)}</span>
          {sayReplay(replayParts)} Its{" "}
          <TextLink to={`/issues?${new URLSearchParams({ q: `replay:${replayId}`, project: project.slug })}`}>
            issues
          </TextLink>{" "}
          and{" "}
          <TextLink to={`/logs?${new URLSearchParams({ q: `replay:${replayId}`, project: project.slug })}`}>
            log lines
          </TextLink>
        </Fact>
      )}
      {url && (
        <Fact label="Page">
          {page ? (
            <a href={page} rel="noreferrer noopener nofollow" target="_blank" className="text-link">
              <bdi>{url}</bdi>
            </a>
          ) : (
            <bdi>{url}</bdi>
          )}
        </Fact>
      )}
      <Fact label="Project">
        <span className="inline-flex items-center gap-1.5">
          <ProjectMark platform={project.platform} />
          <TextLink to={`/projects/${project.slug}`}>{project.name}</TextLink>
        </span>
      </Fact>
      {environment && <Fact label="Environment">{environment}</Fact>}
      {release && (
        <Fact label="Release">
          <TextLink to={toReleasePath(release)}>{release}</TextLink>
        </Fact>
      )}
      {browser && <Fact label="Browser">{browser}</Fact>}
      <Fact label="Sent by">{source === "feedback" ? "feedback of an SDK" : "report about an event"}</Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The stored parts of a replay, in words. */
function sayReplay(parts: number): string {
  if (parts === 0) return ": no recording of it is stored. It was not sent, or has expired.";
  const number = parts < MAX_REPLAY_PARTS ? parts : `${MAX_REPLAY_PARTS.toLocaleString("en")} or more`;
  const many = parts === 1 ? "one part of its recording is" : `${number} parts of its recording are`;
  return `: ${many} stored. This version keeps recordings and does not play them yet.`;
}
