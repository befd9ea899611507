import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { useRevalidation } from "../../navigation/use-revalidation.ts";
import { Card } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useLive } from "../live/use-live.ts";
import type { ProjectPage } from "./get-project-page.server.ts";

/**
 * Says whether the project has received an event. Until it has, it listens, and the first event appears by itself. Without script
 * the page says to load it again.
 */
export function FirstEvent({
  project: { id: projectId, slug, firstEventAt },
  latest,
  arrived,
  children,
}: {
  project: { id: number; slug: string; firstEventAt: number | null };
} & Pick<ProjectPage, "latest" | "arrived"> & {
    /** The form that sends a sample event. */
    children: ReactNode;
  }) {
  const revalidate = useRevalidation();
  const isWaiting = firstEventAt === null;
  useLive((event) => {
    const isOurs =
      event.kind === "first-event"
        ? event.projectId === projectId
        : event.kind === "issues"
          ? event.changes.some((change) => change.projectId === projectId)
          : event.kind === "opened" || event.kind === "resumed" || event.kind === "gap";
    if (isWaiting && isOurs) revalidate();
  });
  useEffect(() => {
    // The feed does not repeat what came after the page was read. The event "opened" covers a page that was loaded as a whole and
    // connects after this.
    if (isWaiting) revalidate();
  }, [isWaiting, revalidate]);

  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <div role="status" className="mr-auto flex min-w-0 items-center gap-3">
        <span aria-hidden="true" className={isWaiting ? "waiting-dot" : "arrived-dot"} />
        {isWaiting ? (
          <div>
            <p className="font-semibold">Waiting for the first event</p>
            <p className="text-muted text-sm">
              It appears here by itself.
              <noscript> Without JavaScript, load this page again to look.</noscript>
            </p>
            <Arrived slug={slug} {...arrived} />
          </div>
        ) : (
          <div className="min-w-0">
            <p className="font-semibold">
              {latest ? (
                <>
                  Last event <RelativeTime at={latest.occurredAt} />
                </>
              ) : (
                "Events have arrived"
              )}
            </p>
            {latest && (
              <p className="truncate text-sm">
                <Link
                  to={`/issues/${latest.issueId}/events/${latest.eventId}`}
                  prefetch="intent"
                  className="text-link font-mono"
                >
                  {latest.title}
                </Link>
              </p>
            )}
          </div>
        )}
      </div>
      {children}
    </Card>
  );
}

/** Spans and log lines do not count as events. An application that sends only these would wait for ever. */
function Arrived({ slug, hasSpans, hasLogs }: { slug: string } & ProjectPage["arrived"]) {
  const query = new URLSearchParams({ project: slug });
  const links = [
    ...(hasSpans ? [{ to: `/traces?${query}`, label: "Spans" }] : []),
    ...(hasLogs ? [{ to: `/logs?${query}`, label: "Log lines" }] : []),
  ];
  if (links.length === 0) return null;
  return (
    <p className="text-sm">
      Arrived in the last day:{" "}
      {links.map(({ to, label }, index) => (
        <span key={to}>
          {index > 0 && ", "}
          <TextLink to={to}>{label}</TextLink>
        </span>
      ))}
    </p>
  );
}
