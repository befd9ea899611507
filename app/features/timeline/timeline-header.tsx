import { Fragment } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { CopyPageButton } from "../markdown/copy-page-button.tsx";
import type { TimelineCause, TimelineHead } from "./timeline.ts";

/** The error, and the failures before it in their order. */
export function TimelineHeader({
  head,
  causes,
  earlierCount = 0,
}: {
  head: TimelineHead;
  causes: readonly TimelineCause[];
  earlierCount?: number;
}) {
  const eventPath = `/issues/${head.issueId}/events/${head.eventId}`;
  return (
    <div className="timeline-header">
      <PageHeader
        trail={[
          { label: "Issues", to: "/issues" },
          { label: head.shortId ?? "Issue", to: `/issues/${head.shortId ?? head.issueId}` },
          { label: head.eventId.slice(0, 8), to: eventPath },
        ]}
        title={
          <>
            <span className="sr-only">Timeline of </span>
            <bdi className="break-words font-mono">{head.title}</bdi>
          </>
        }
        actions={
          <>
            {head.traceId && (
              <LinkButton to={`/traces/${head.traceId}`} size="sm">
                Trace
              </LinkButton>
            )}
            <CopyPageButton path={`/events/${head.eventId}/timeline`} label="Copy the timeline as Markdown" />
          </>
        }
      />
      {causes.length > 1 && (
        <p className="timeline-causes">
          <LevelMark level={head.level} />
          <span className="sr-only">What failed, in order: </span>
          {earlierCount > 0 && <span>{earlierCount} earlier →</span>}
          {causes.map(({ key, name, words }, index) => (
            <Fragment key={key}>
              {index > 0 && <span aria-hidden="true">→</span>}
              <span>
                <code>{name}</code> {words}
              </span>
            </Fragment>
          ))}
        </p>
      )}
    </div>
  );
}
