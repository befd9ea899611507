import { useRef, useState } from "react";
import type { TimeWindow } from "../../domain/traces/time-window.ts";
import { useRangeDrag } from "../../ui/use-range-drag.ts";
import { MINIMAP_LINES, type MinimapLine } from "./minimap-line.ts";
import type { TraceWindow } from "./use-trace-window.ts";

const LINE_HEIGHT = 3;

/**
 * A small overview of the whole trace with the selected window. Dragging over it selects another window. Dragging the window moves
 * it, and dragging an edge resizes it. The keys `+`, `-`, `0` and Shift with arrows do the same.
 */
export function Minimap({
  lines,
  hues,
  totalUs,
  view,
}: {
  lines: readonly MinimapLine[];
  hues: readonly number[];
  totalUs: number;
  view: TraceWindow;
}) {
  const { dragged, handlers } = useRangeDrag((share) => share * totalUs, view.zoomTo);
  const shown: TimeWindow = dragged ?? view.window;
  const hasBrush = dragged !== null || !view.isWhole;
  const toShare = (us: number) => `${(us / totalUs) * 100}%`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys do the same
    <div className="trace-minimap" aria-hidden="true" onDoubleClick={view.reset} {...handlers}>
      <svg viewBox={`0 0 1000 ${MINIMAP_LINES * LINE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ line, from, to, service }) => (
          <rect
            key={`${line} ${from}`}
            data-hue={hues[service] ?? 0}
            x={from * 1000}
            y={line * LINE_HEIGHT}
            width={(to - from) * 1000}
            height={LINE_HEIGHT - 1}
          />
        ))}
      </svg>
      {hasBrush && (
        <Brush
          from={toShare(shown.fromUs)}
          width={toShare(shown.toUs - shown.fromUs)}
          window={shown}
          totalUs={totalUs}
          onMove={view.zoomTo}
        />
      )}
    </div>
  );
}

type Part = "whole" | "start" | "end";

/** The window in the overview. It can be dragged as a whole, or by an edge. */
function Brush({
  from,
  width,
  window,
  totalUs,
  onMove,
}: {
  from: string;
  width: string;
  window: TimeWindow;
  totalUs: number;
  onMove: (window: TimeWindow) => void;
}) {
  const [held, setHeld] = useState<{ part: Part; x: number; window: TimeWindow } | null>(null);
  const element = useRef<HTMLDivElement>(null);
  const hold = (part: Part) => (event: React.PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    setHeld({ part, x: event.clientX, window });
  };
  const move = (event: React.PointerEvent<HTMLElement>) => {
    const whole = element.current?.parentElement?.clientWidth;
    if (!held || !whole) return;
    event.stopPropagation();
    const by = ((event.clientX - held.x) / whole) * totalUs;
    const { fromUs, toUs } = held.window;
    if (held.part === "start") onMove({ fromUs: Math.max(0, Math.min(fromUs + by, toUs)), toUs });
    else if (held.part === "end") onMove({ fromUs, toUs: Math.min(totalUs, Math.max(toUs + by, fromUs)) });
    else onMove({ fromUs: fromUs + by, toUs: toUs + by });
  };
  const handlers = (part: Part) => ({
    onPointerDown: hold(part),
    onPointerMove: move,
    onPointerUp: () => setHeld(null),
    onPointerCancel: () => setHeld(null),
  });
  return (
    <div ref={element} className="trace-brush" style={{ left: from, width }} {...handlers("whole")}>
      <i className="trace-brush-edge" {...handlers("start")} />
      <i className="trace-brush-edge" {...handlers("end")} />
    </div>
  );
}
