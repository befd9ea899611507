import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Panel } from "../../ui/card.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Timeline, TimelineHead } from "./timeline.ts";
import { toTimelinePath } from "./timeline-options.ts";
import { WaitingTimeline } from "./waiting-timeline.tsx";

const CompactTimeline = lazy(() => import("./compact-timeline.tsx"));

interface Answer {
  head: TimelineHead;
  timeline: Timeline;
}

/** Events around an error, under its stack. They are read and drawn once the error is shown and the panel comes near the visible part. */
export function TimelinePanel({ event }: { event: Pick<TimelineHead, "eventId" | "title" | "level"> }) {
  const { eventId } = event;
  const frame = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(frame);
  const [read, setRead] = useState<{ eventId: string; answer: Answer | "failed" } | null>(null);
  useEffect(() => {
    if (!isNear) return;
    const ending = new AbortController();
    readLanes(eventId, ending.signal).then(
      (answer) => setRead({ eventId, answer }),
      () => !ending.signal.aborted && setRead({ eventId, answer: "failed" }),
    );
    return () => ending.abort();
  }, [eventId, isNear]);
  const answer = read?.eventId === eventId ? read.answer : null;
  return (
    <Panel
      id="timeline"
      title="Timeline"
      isFlush
      actions={
        <TextLink to={toTimelinePath(eventId)} className="text-sm">
          Open the timeline
        </TextLink>
      }
    >
      <div ref={frame} className="needs-script">
        {answer === "failed" ? (
          <p className="p-4 text-muted text-sm" role="status">
            It could not be read. Open it to try again.
          </p>
        ) : (
          <Suspense fallback={<WaitingTimeline head={event} isCompact />}>
            {answer ? (
              <CompactTimeline key={eventId} head={answer.head} timeline={answer.timeline} />
            ) : (
              <WaitingTimeline head={event} isCompact />
            )}
          </Suspense>
        )}
      </div>
    </Panel>
  );
}

async function readLanes(eventId: string, signal: AbortSignal): Promise<Answer> {
  const path = `/events/${eventId}/timeline/lanes`;
  const response = await fetch(path, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** True as soon as the element is less than a screen away. */
function useIsNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: "50% 0px" },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
