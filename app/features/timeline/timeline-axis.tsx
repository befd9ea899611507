import { type CSSProperties, type RefObject, useEffect, useRef } from "react";
import type { Shortcuts } from "../../ui/use-shortcuts.ts";
import { WindowContext } from "./lane-edges.tsx";
import { LaneReadouts } from "./lane-readouts.tsx";
import type { Timeline, TimelineLane } from "./timeline.ts";
import { TimelineDetail } from "./timeline-detail.tsx";
import { TimelineLaneRow } from "./timeline-lane-row.tsx";
import { TimelineRuler } from "./timeline-ruler.tsx";
import { formatTime } from "./timeline-words.ts";
import { useHues } from "./use-hues.ts";
import type { TimelineViewState } from "./use-timeline-view.ts";

const WHEEL_ZOOM = 400;

/** The lanes below one ruler, with one cursor. The throw is a line through all of them. */
export function TimelineAxis({
  timeline,
  lanes,
  view,
  words,
  frame,
  keys,
  isCompact,
}: {
  timeline: Timeline;
  lanes: readonly TimelineLane[];
  view: TimelineViewState;
  words: string;
  frame: RefObject<HTMLDivElement | null>;
  keys: Shortcuts;
  isCompact: boolean;
}) {
  const { window, options } = view;
  const hues = useHues(timeline);
  const size = window.toUs - window.fromUs;
  const { atUs, item: openKey, time } = options;
  const isInSight = (us: number) => us >= window.fromUs && us <= window.toUs;
  const toLeft = (us: number) => `calc(var(--gutter) + (100% - var(--gutter)) * ${(us - window.fromUs) / size})`;
  useWheelZoom(frame, view);
  useTrackWidth(frame);
  const onPointerMove = (event: React.PointerEvent<HTMLElement>) => {
    const track = (event.target as HTMLElement).closest(".timeline-track");
    if (!track || event.pointerType === "touch") return;
    const { left, width } = track.getBoundingClientRect();
    view.change({ atUs: Math.round(window.fromUs + (size * (event.clientX - left)) / width) });
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    const act = keys[`${event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : ""}${event.key}`];
    if (act && act(event.nativeEvent) !== false) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div
      ref={frame}
      className="timeline-axis"
      role="group"
      aria-label="Timeline. j and k go from thing to thing, arrows move the cursor and change the lane."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move among hundreds of things that are no stops themselves
      tabIndex={0}
      style={{ "--from": window.fromUs / 1000, "--span": size / 1000 } as CSSProperties}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    >
      <div className="timeline-top">
        <p className="timeline-top-words">
          {atUs === null
            ? "What each lane did at the cursor"
            : formatTime(atUs, { time: time === "throw" ? "utc" : time, originUs: timeline.originUs, stepUs: 1_000 })}
        </p>
        <TimelineRuler window={window} time={time} originUs={timeline.originUs} atUs={atUs} onZoom={view.zoomTo} />
      </div>
      <div className="timeline-lanes">
        {atUs !== null && isInSight(atUs) && (
          <i className="timeline-cursor" aria-hidden="true" style={{ left: toLeft(atUs) }} />
        )}
        <WindowContext value={view}>
          <LaneReadouts lanes={lanes} atUs={atUs}>
            {lanes.map((lane) => {
              const open = openKey === null ? undefined : lane.items.find(({ key }) => key === openKey);
              return (
                <div key={lane.id} className="timeline-lane-group">
                  <TimelineLaneRow
                    lane={lane}
                    hues={hues}
                    words={words}
                    openKey={open?.key ?? null}
                    window={lane.kind === "deploys" ? window : null}
                    onOpen={view.change}
                    isCompact={isCompact}
                  />
                  {open && (
                    <TimelineDetail
                      item={open}
                      lane={lane}
                      originUs={timeline.originUs}
                      time={time}
                      onClose={() => view.change({ item: null })}
                      onFit={(range) => view.zoomTo(range)}
                    />
                  )}
                </div>
              );
            })}
          </LaneReadouts>
        </WindowContext>
        {isInSight(0) && <i className="timeline-throw" aria-hidden="true" style={{ left: toLeft(0) }} />}
      </div>
    </div>
  );
}

/** Ctrl or pinch zooms at the pointer, Shift moves along the axis, and the plain wheel scrolls the page. */
function useWheelZoom(frame: RefObject<HTMLDivElement | null>, view: TimelineViewState): void {
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent) => {
      const track = (event.target as HTMLElement).closest(".timeline-track, .timeline-ruler");
      if (!track || !(event.ctrlKey || event.shiftKey)) return;
      event.preventDefault();
      const { window, zoomBy, panBy } = latest.current;
      const size = window.toUs - window.fromUs;
      const { left, width } = track.getBoundingClientRect();
      const delta = event.deltaY || event.deltaX;
      if (event.ctrlKey) zoomBy(Math.exp(delta / WHEEL_ZOOM), window.fromUs + (size * (event.clientX - left)) / width);
      else panBy((size * delta) / width);
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [frame]);
}

/** Names beside narrow bars depend on the width of the track. */
function useTrackWidth(frame: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const width = element.querySelector(".timeline-ruler")?.clientWidth;
      if (width) element.style.setProperty("--track", `${width}px`);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [frame]);
}
