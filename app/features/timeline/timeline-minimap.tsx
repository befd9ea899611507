import { memo, useMemo } from "react";
import { formatDuration } from "../../ui/format-duration.ts";
import { useRangeDrag } from "../../ui/use-range-drag.ts";
import type { Timeline, TimeRange } from "./timeline.ts";
import { useHues } from "./use-hues.ts";
import type { TimelineViewState } from "./use-timeline-view.ts";

const LINE = 3;
const MAX_LINES = 14;

/**
 * A small overview of everything with the visible window. Dragging over it selects another window. The keys `+`, `-` and arrows do
 * the same.
 */
export function TimelineMinimap({ timeline, view }: { timeline: Timeline; view: TimelineViewState }) {
  const whole = useMemo(() => widen(timeline.whole), [timeline]);
  const size = whole.toUs - whole.fromUs;
  const { dragged, handlers } = useRangeDrag((share) => whole.fromUs + share * size, view.zoomTo);
  const shown = dragged ?? view.window;
  const from = Math.max(0, (shown.fromUs - whole.fromUs) / size);
  const to = Math.min(1, (shown.toUs - whole.fromUs) / size);
  return (
    <div className="timeline-mini-row">
      <p className="timeline-mini-words">
        <b>Everything</b> {formatDuration(timeline.whole.toUs - timeline.whole.fromUs)}
      </p>
      <div className="timeline-mini" aria-hidden="true" {...handlers}>
        <MinimapMarks timeline={timeline} whole={whole} />
        <i className="timeline-brush" style={{ left: `${from * 100}%`, right: `${(1 - Math.max(from, to)) * 100}%` }} />
        <i className="timeline-mini-throw" style={{ left: `${(-whole.fromUs / size) * 100}%` }} />
      </div>
    </div>
  );
}

const MinimapMarks = memo(function MinimapMarks({ timeline, whole }: { timeline: Timeline; whole: TimeRange }) {
  const hues = useHues(timeline);
  const size = whole.toUs - whole.fromUs;
  const lanes = timeline.lanes.filter(({ kind, items }) => kind !== "deploys" && items.length > 0).slice(0, MAX_LINES);
  return (
    <svg viewBox={`0 0 1000 ${MAX_LINES * LINE}`} preserveAspectRatio="none" aria-hidden="true">
      {lanes.flatMap(({ items, kind }, line) =>
        items.map(({ key, fromUs, toUs, service, level }) => (
          <rect
            key={key}
            data-hue={hues.get(service ?? "")}
            data-level={kind === "logs" || kind === "errors" ? level : undefined}
            x={((fromUs - whole.fromUs) / size) * 1000}
            y={line * LINE}
            width={Math.max(1.5, (((toUs ?? fromUs) - fromUs) / size) * 1000)}
            height={LINE - 1}
          />
        )),
      )}
    </svg>
  );
});

/** The range with some space at both ends. */
function widen({ fromUs, toUs }: TimeRange): TimeRange {
  const room = (toUs - fromUs) * 0.02;
  return { fromUs: fromUs - room, toUs: toUs + room };
}
