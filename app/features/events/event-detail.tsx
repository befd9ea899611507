import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import { Card, Panel } from "../../ui/card.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { FeedbackNotice } from "../feedback/feedback-notice.tsx";
import { toIssuePath } from "../issues/issue-paths.ts";
import { MetricFinding } from "../metrics/metric-finding.tsx";
import { RetraceNote } from "../source-maps/retrace-note.tsx";
import { SourceMapPanel } from "../source-maps/source-map-panel.tsx";
import { StackCauses } from "../source-maps/stack-causes.tsx";
import { TimelinePanel } from "../timeline/timeline-panel.tsx";
import { hasMappedStacks, withStacksAsSent } from "./as-sent.ts";
import { AttachmentList, hasAttachments } from "./attachment-list.tsx";
import { AwaitedEvents } from "./awaited-events.tsx";
import { BreadcrumbList } from "./breadcrumb-list.tsx";
import { ContextCards, hasContexts } from "./context-cards.tsx";
import { EventFacts } from "./event-facts.tsx";
import { EventJson } from "./event-json.tsx";
import { EventNavigation } from "./event-navigation.tsx";
import { EventSections } from "./event-sections.tsx";
import { ExceptionList, framesOf } from "./exception-section.tsx";
import { EventPlatform } from "./frame-row.tsx";
import type { EventPage } from "./get-event-page.server.ts";
import { GroupingReason } from "./grouping-reason.tsx";
import { KeptFacts } from "./kept-facts.tsx";
import { MessagePanel } from "./message-panel.tsx";
import { MissingNamesNote } from "./missing-names-note.tsx";
import { ProblemList } from "./problem-list.tsx";
import { RequestSection } from "./request-section.tsx";
import { SecurityReport } from "./security-report.tsx";
import { useEventCode } from "./source-link.tsx";
import { StackControls } from "./stack-controls.tsx";
import { readStackView } from "./stack-options.ts";
import { toEventMarkdown, toStackText } from "./stack-text.ts";
import { StackTrace } from "./stack-trace.tsx";
import { SuspectCommits } from "./suspect-commits.tsx";
import { TagList } from "./tag-list.tsx";
import { ThreadList } from "./threads-section.tsx";
import { toUserWords } from "./user-words.ts";
import { ValueTree } from "./value-tree.tsx";

/** One event, section by section. Sections that it does not have are left out. */
export function EventDetail({
  page,
  issue,
  baseUrl,
}: {
  page: EventPage | null;
  issue: Pick<Issue, "id" | "type" | "value" | "title">;
  baseUrl: string;
}) {
  const [search] = useSearchParams();
  const { suspects } = useEventCode();
  const issueId = issue.id;
  if (!page) return <AwaitedEvents />;
  const { row, stored, neighbours } = page;
  const navigate = (actions?: ReactNode) => (
    <EventNavigation row={row} neighbours={neighbours} issueId={issueId} search={search}>
      {actions}
    </EventNavigation>
  );
  if (!stored) {
    return (
      <>
        <Card>{navigate()}</Card>
        <KeptFacts page={page} issueId={issueId} search={search} />
      </>
    );
  }

  const { grouping } = stored;
  const view = readStackView(search, stored.event.platform);
  const hasSources = hasMappedStacks(stored.event);
  const event = hasSources && view.source === "sent" ? withStacksAsSent(stored.event) : stored.event;
  const link = `${baseUrl}/issues/${issueId}/events/${row.eventId}`;
  const hasStack = Boolean(event.exception ?? event.stacktrace);
  const stackText = toStackText(event);
  const looseStack = event.stacktrace ?? null;
  const stackActions = stackText !== "" && (
    <StackControls
      view={view}
      search={search}
      text={stackText}
      markdown={() => toEventMarkdown(event, { title: row.title, link })}
      hasSources={hasSources}
    />
  );
  const raw = view.form === "raw" && stackText !== "" && (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="stack-raw" tabIndex={0}>
      {stackText}
    </pre>
  );
  const threads = event.threads?.values ?? [];
  return (
    <EventPlatform value={event.platform}>
      <Card className="overflow-clip">
        <section id="exception" aria-labelledby="event-heading">
          <h2 id="event-heading" className="sr-only">
            {hasStack ? "Stack trace" : "Event"}
          </h2>
          {navigate(stackActions)}
          <EventFacts event={event} row={row} />
          <EventSections page={page} />
          {hasStack && <StackCauses />}
          {hasStack && <RetraceNote />}
          {hasStack && <MissingNamesNote event={event} />}
          {raw ||
            (event.exception ? (
              <ExceptionList event={event} grouping={grouping} view={view} headline={issue} />
            ) : (
              looseStack && (
                <StackTrace
                  stacktrace={looseStack}
                  view={view}
                  groupedFrames={framesOf(grouping, null)}
                  label="the event"
                  place={{ kind: "stacktrace", index: 0 }}
                />
              )
            ))}
        </section>
      </Card>
      <TimelinePanel event={{ eventId: row.eventId, title: row.title, level: row.level }} />
      {page.symbolication?.failure && (
        <Notice tone="info" title="Some frames are shown as they were sent">
          {page.symbolication.failure === "timed_out"
            ? "Their source maps are still being read. Load the page again in a few seconds."
            : "Their source maps could not be read just now. Load the page again; the log of the server says why."}
        </Notice>
      )}
      {page.feedback.map((said) => (
        <FeedbackNotice key={said.id} said={said} />
      ))}
      <MetricFinding event={event} />
      <MessagePanel event={event} issue={issue} />
      {threads.length > 0 && (
        <Panel id="threads" title={`Threads (${threads.length})`}>
          <ThreadList event={event} grouping={grouping} view={view} />
        </Panel>
      )}
      <SuspectCommits suspects={suspects} />
      <SecurityReport event={event} />
      {(event.breadcrumbs?.values.length ?? 0) > 0 && (
        <Panel id="breadcrumbs" title="Breadcrumbs" isFlush>
          <BreadcrumbList key={event.event_id} event={event} title={row.title} />
        </Panel>
      )}
      {event.request && (
        <Panel id="request" title="Request">
          <RequestSection request={event.request} />
        </Panel>
      )}
      {(event.tags?.length ?? 0) > 0 && (
        <Panel id="tags" title="Tags">
          <TagList tags={event.tags ?? []} user={toUserWords(event.user)} issueId={issueId} search={search} />
        </Panel>
      )}
      {hasContexts(event) && (
        <Panel id="contexts" title="Contexts">
          <ContextCards event={event} />
        </Panel>
      )}
      {event.extra && Object.keys(event.extra).length > 0 && (
        <Panel id="extra" title="Additional data">
          <KeyValueList
            pairs={Object.entries(event.extra).map(([key, value]) => ({ key, value: <ValueTree value={value} /> }))}
          />
        </Panel>
      )}
      {hasAttachments(page) && (
        <Panel id="attachments" title="Attachments" isFlush>
          <AttachmentList page={page} path={toIssuePath(issueId, `/events/${page.row.eventId}`, search)} />
        </Panel>
      )}
      {event.modules && Object.keys(event.modules).length > 0 && (
        <Panel id="packages" title={`Packages (${Object.keys(event.modules).length})`}>
          <details className="fold">
            <summary>Show names and versions</summary>
            <KeyValueList
              className="pt-3"
              pairs={Object.entries(event.modules).map(([key, value]) => ({ key, value }))}
            />
          </details>
        </Panel>
      )}
      <GroupingReason event={event} grouping={grouping} isFoundByAlias={page.isFoundByAlias} />
      <SourceMapPanel />
      <ProblemList event={event} />
      <EventJson event={stored.event} />
    </EventPlatform>
  );
}
