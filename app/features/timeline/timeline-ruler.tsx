import { useState } from "react";
import { chooseStep } from "../traces/time-axis.tsx";
import type { TimeRange } from "./timeline.ts";
import type { TimelineTime } from "./timeline-options.ts";
import { formatTime } from "./timeline-words.ts";

/** A drag shorter than this is a click: pixels. */
const MIN_DRAG = 4;

/** Round times over the lanes. A drag over it is a window. */
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
  // Times of day stand at round times of day.
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

/** A range chosen by dragging over an element from edge to edge. */
export function useRangeDrag(toUs: (share: number) => number, onChoose: (range: TimeRange) => void) {
  const [dragged, setDragged] = useState<(TimeRange & { startX: number; startUs: number }) | null>(null);
  const readUs = (event: React.PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return toUs(Math.min(Math.max((event.clientX - left) / width, 0), 1));
  };
  return {
    dragged,
    handlers: {
      onPointerDown(event: React.PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const us = readUs(event);
        setDragged({ fromUs: us, toUs: us, startX: event.clientX, startUs: us });
      },
      onPointerMove(event: React.PointerEvent<HTMLElement>) {
        if (!dragged) return;
        const us = readUs(event);
        setDragged({ ...dragged, fromUs: Math.min(us, dragged.startUs), toUs: Math.max(us, dragged.startUs) });
      },
      onPointerUp(event: React.PointerEvent<HTMLElement>) {
        if (dragged && Math.abs(event.clientX - dragged.startX) >= MIN_DRAG) onChoose(dragged);
        setDragged(null);
      },
      onPointerCancel() {
        setDragged(null);
      },
    },
  };
}
