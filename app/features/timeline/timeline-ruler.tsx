import { useRangeDrag } from "../../ui/use-range-drag.ts";
import { chooseStep } from "../traces/time-axis.tsx";
import type { TimeRange } from "./timeline.ts";
import type { TimelineTime } from "./timeline-options.ts";
import { formatTime } from "./timeline-words.ts";

/** Round times above the lanes. Dragging over it selects a window. */
export function TimelineRuler({
  window,
  time,
  originUs,
  atUs,
  onZoom,
}: {
  window: TimeRange;
  time: TimelineTime;
  originUs: number;
  atUs: number | null;
  onZoom: (range: TimeRange) => void;
}) {
  const size = window.toUs - window.fromUs;
  const stepUs = chooseStep(size);
  // For times of day, ticks are at round times of day.
  const offset = time === "throw" ? 0 : originUs % stepUs;
  const first = Math.ceil((window.fromUs + offset) / stepUs) * stepUs - offset;
  const ticks = Array.from({ length: Math.floor((window.toUs - first) / stepUs) + 1 }, (_, at) => first + at * stepUs);
  const toShare = (us: number) => (us - window.fromUs) / size;
  const { dragged, handlers } = useRangeDrag((share) => window.fromUs + share * size, onZoom);
  const isInSight = (us: number) => us >= window.fromUs && us <= window.toUs;
  const isFree = (us: number) =>
    (time !== "throw" || Math.abs(us) > size * 0.05) && (atUs === null || Math.abs(us - atUs) > size * 0.06);
  return (
    <div className="timeline-ruler" aria-hidden="true" {...handlers}>
      {ticks
        .filter((tick) => toShare(tick) < 0.95 && isFree(tick))
        .map((tick) => (
          <span key={tick} className="timeline-tick" style={{ left: `${toShare(tick) * 100}%` }}>
            {formatTime(tick, { time, originUs, stepUs })}
          </span>
        ))}
      {dragged && (
        <i
          className="timeline-drag"
          style={{
            left: `${toShare(dragged.fromUs) * 100}%`,
            width: `${((dragged.toUs - dragged.fromUs) / size) * 100}%`,
          }}
        />
      )}
      {isInSight(0) && (
        <b className="timeline-flag timeline-flag-throw" style={{ left: `${toShare(0) * 100}%` }}>
          thrown
        </b>
      )}
      {atUs !== null && isInSight(atUs) && Math.abs(atUs) > size * 0.001 && (
        <b className="timeline-flag" style={{ left: `${toShare(atUs) * 100}%` }}>
          {formatTime(atUs, { time, originUs, stepUs: Math.min(stepUs, 1_000) })}
        </b>
      )}
    </div>
  );
}
