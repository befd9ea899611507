import type { Timeline, TimelineHead } from "./timeline.ts";
import { TimelineView } from "./timeline-view.tsx";
import { TraceLogSearch } from "./trace-log-search.tsx";

/** The timeline under a stack trace. Its code is loaded when it comes near the visible part. */
export default function CompactTimeline({ head, timeline }: { head: TimelineHead; timeline: Timeline }) {
  return (
    <>
      <TimelineView head={head} timeline={timeline} isCompact />
      <TraceLogSearch head={head} />
    </>
  );
}
