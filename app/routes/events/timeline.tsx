import { Suspense } from "react";
import { Await, data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { findTimelineEvent, readTimeline } from "../../features/timeline/read-timeline.server.ts";
import { TimelineHeader } from "../../features/timeline/timeline-header.tsx";
import { readTimelineOptions } from "../../features/timeline/timeline-options.ts";
import { TimelineView } from "../../features/timeline/timeline-view.tsx";
import { WaitingTimeline } from "../../features/timeline/waiting-timeline.tsx";
import { keepWhileSame } from "../../navigation/keep-while-same.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import type { Route } from "./+types/timeline.ts";

/** The error comes at once. What happened around it follows in the same answer. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const found = await findTimelineEvent(workspace, params.eventId);
  if (!found) throw data("There is no such event.", { status: 404 });
  const { isAsSent } = readTimelineOptions(url.searchParams);
  return { head: found.head, timeline: readTimeline(workspace, found, { isAsSent, now: Date.now() }) };
}

/** Of all options, only the clocks need new data from the server. */
export const shouldRevalidate = keepWhileSame((url) => `${url.pathname} ${url.searchParams.get("clocks")}`);

export default function TimelinePage({ loaderData: { head, timeline } }: Route.ComponentProps) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Suspense fallback={<TimelineHeader head={head} causes={[]} />}>
        <Await resolve={timeline} errorElement={<TimelineHeader head={head} causes={[]} />}>
          {({ causes, earlierCount }) => <TimelineHeader head={head} causes={causes} earlierCount={earlierCount} />}
        </Await>
      </Suspense>
      <Suspense fallback={<WaitingTimeline head={head} />}>
        <Await
          resolve={timeline}
          errorElement={<ErrorPanel title="What happened around it could not be read">Load the page again.</ErrorPanel>}
        >
          {(loaded) => <TimelineView key={head.eventId} head={head} timeline={loaded} />}
        </Await>
      </Suspense>
    </article>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData ? `Timeline of ${loaderData.head.title}` : "Timeline"} · Culprit` }];
}

export const handle = { section: "issues" };
