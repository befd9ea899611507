import { type ComponentType, useEffect, useRef, useState } from "react";
import { importOptional } from "../../navigation/stale-build.ts";
import { Panel } from "../../ui/card.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Timeline, TimelineHead } from "./timeline.ts";
import { toTimelinePath } from "./timeline-options.ts";
import { WaitingTimeline } from "./waiting-timeline.tsx";

interface Lanes {
  head: TimelineHead;
  timeline: Timeline;
}

interface DrawnLanes extends Lanes {
  Drawing: ComponentType<Lanes>;
}

const loadDrawing = () => import("./compact-timeline.tsx");

/**
 * Events around an error, under its stack. They are read and drawn once the error is shown and the panel comes near the visible part. If
 * the lanes or their code do not come, the panel says so, and the error stays.
 */
export function TimelinePanel({
  event,
  load = loadDrawing,
}: {
  event: Pick<TimelineHead, "eventId" | "title" | "level">;
  /** It must be the same function on every render. */
  load?: typeof loadDrawing;
}) {
  const { eventId } = event;
  const frame = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(frame);
  const [read, setRead] = useState<{ eventId: string; answer: DrawnLanes | "failed" } | null>(null);
  useEffect(() => {
    if (!isNear) return;
    const ending = new AbortController();
    readDrawnLanes(eventId, load, ending.signal).then(
      (answer) => setRead({ eventId, answer }),
      () => !ending.signal.aborted && setRead({ eventId, answer: "failed" }),
    );
    return () => ending.abort();
  }, [eventId, isNear, load]);
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
        ) : answer ? (
          <answer.Drawing key={eventId} head={answer.head} timeline={answer.timeline} />
        ) : (
          <WaitingTimeline head={event} isCompact />
        )}
      </div>
    </Panel>
  );
}

async function readDrawnLanes(eventId: string, load: typeof loadDrawing, signal: AbortSignal): Promise<DrawnLanes> {
  const [lanes, code] = await Promise.all([readLanes(eventId, signal), importOptional(load)]);
  if (!code) throw new Error("the code of the timeline did not come");
  return { ...lanes, Drawing: code.default };
}

async function readLanes(eventId: string, signal: AbortSignal): Promise<Lanes> {
  const path = `/events/${eventId}/timeline/lanes`;
  const response = await fetch(path, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Lanes;
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
