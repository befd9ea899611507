import { Link } from "react-router";
import { Checkbox } from "../../ui/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useMay } from "../frame/use-may.tsx";
import { AssigneeName } from "../issues/assignee-name.tsx";
import { ProjectMark } from "../projects/project-mark.tsx";
import { type FeedbackFilters, toFeedbackPath } from "./feedback-filters.ts";
import { nameSender, SPAM_WORDS, toShortUrl } from "./feedback-words.ts";
import type { FeedbackListItem } from "./get-feedback-page.server.ts";

/** Messages, newest first. Each opens beside the list. */
export function FeedbackList({
  feedback,
  filters,
  openId,
}: {
  feedback: readonly FeedbackListItem[];
  filters: FeedbackFilters;
  openId: number | null;
}) {
  return (
    <ul className="feedback-list" aria-label="Messages">
      {feedback.map((each) => (
        <FeedbackRow key={each.id} feedback={each} filters={filters} isOpen={each.id === openId} />
      ))}
    </ul>
  );
}

function FeedbackRow({
  feedback,
  filters,
  isOpen,
}: {
  feedback: FeedbackListItem;
  filters: FeedbackFilters;
  isOpen: boolean;
}) {
  const mayChange = useMay("event:write");
  const { id, message, receivedAt, isRead, project, url, assignee, spamReason } = feedback;
  const sender = nameSender(feedback);
  return (
    <li className="feedback-row" data-feedback={id} data-unread={!isRead || undefined} data-open={isOpen || undefined}>
      {mayChange && (
        <span className="feedback-check">
          <Checkbox name="feedback" value={id} aria-label={`Select the message of ${sender}`} autoComplete="off" />
        </span>
      )}
      <Link
        to={toFeedbackPath(filters, { open: id })}
        prefetch="intent"
        preventScrollReset
        className="feedback-link"
        aria-current={isOpen ? "true" : undefined}
      >
        <span className="feedback-head">
          {!isRead && (
            <span className="feedback-dot">
              <span className="sr-only">Unread: </span>
            </span>
          )}
          <bdi className="feedback-sender">{sender}</bdi>
          <RelativeTime at={receivedAt} className="tabular shrink-0 text-muted text-xs" />
        </span>
        <span className="feedback-message">
          <bdi>{message}</bdi>
        </span>
        <span className="feedback-facts">
          <span className="feedback-project">
            <ProjectMark platform={project.platform} />
            {project.name}
          </span>
          {url && <bdi className="min-w-0 truncate">{toShortUrl(url)}</bdi>}
          {spamReason && <span className="min-w-0 truncate">{SPAM_WORDS[spamReason]}</span>}
          {assignee && <AssigneeName assignee={assignee} />}
        </span>
      </Link>
    </li>
  );
}
