import type { Timeline, TimelineHead } from "./timeline.ts";
import { TimelineView } from "./timeline-view.tsx";
import { TraceLogSearch } from "./trace-log-search.tsx";

/** What stands under a stack trace. Its code comes when it is near. */
export default function CompactTimeline({ head, timeline }: { head: TimelineHead; timeline: Timeline }) {
  return (
    <>
      <TimelineView head={head} timeline={timeline} isCompact />
      <TraceLogSearch head={head} />
    </>
  );
}
