import type { RefObject } from "react";
import type { Shortcuts } from "../../ui/use-shortcuts.ts";
import type { TimelineItem, TimelineLane } from "./timeline.ts";
import type { TimelineViewState } from "./use-timeline-view.ts";

const CLOSER = 0.5;
/** Steps of the cursor, as shares of the window. */
const STEP = 0.01;
const LARGE_STEP = 0.1;

/** Keyboard shortcuts of a timeline. Arrow keys only work while a part of it has the focus. */
export function createTimelineKeys({
  view,
  lanes,
  frame,
}: {
  view: TimelineViewState;
  lanes: readonly TimelineLane[];
  frame: RefObject<HTMLElement | null>;
}): Shortcuts {
  const { window, options } = view;
  const size = window.toUs - window.fromUs;
  const atUs = options.atUs ?? 0;
  const moveCursor = (share: number) => {
    const next = Math.round(atUs + size * share);
    view.change({ atUs: next });
    view.show({ fromUs: next, toUs: next });
  };
  const focus = (item: TimelineItem | undefined) => {
    if (!item) return false;
    view.change({ atUs: item.fromUs });
    view.show({ fromUs: item.fromUs, toUs: item.fromUs });
    const button = frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(item.key)}"]`);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const focused = () => (document.activeElement as HTMLElement | null)?.dataset.key;
  /** Skips items of folded lanes: their buttons are not in the page. */
  const isDrawn = ({ key }: TimelineItem) => frame.current?.querySelector(`[data-key="${CSS.escape(key)}"]`) !== null;
  const step = (by: 1 | -1) => {
    const all = lanes
      .flatMap(({ items }) => items)
      .filter(isDrawn)
      .sort((a, b) => a.fromUs - b.fromUs);
    const from = all.findIndex(({ key }) => key === focused());
    if (from >= 0) return focus(all[from + by]);
    return focus(
      by === 1 ? all.find((item) => item.fromUs >= window.fromUs) : all.findLast((item) => item.fromUs <= 0),
    );
  };
  /** Moves to the item of the next lane that is nearest in time. */
  const stepLane = (by: 1 | -1) => {
    const filled = lanes.filter(({ items }) => items.some(isDrawn));
    const key = focused();
    const from = filled.findIndex(({ items }) => items.some((item) => item.key === key));
    const lane = filled[from < 0 ? 0 : from + by];
    const near = lane?.items.filter(isDrawn).sort((a, b) => Math.abs(a.fromUs - atUs) - Math.abs(b.fromUs - atUs));
    return focus(near?.[0]);
  };
  return {
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => stepLane(1),
    ArrowUp: () => stepLane(-1),
    ArrowLeft: () => moveCursor(-STEP),
    ArrowRight: () => moveCursor(STEP),
    "Shift+ArrowLeft": () => moveCursor(-LARGE_STEP),
    "Shift+ArrowRight": () => moveCursor(LARGE_STEP),
    "+": () => view.zoomBy(CLOSER, inSight(atUs)),
    "=": () => view.zoomBy(CLOSER, inSight(atUs)),
    "-": () => view.zoomBy(1 / CLOSER, inSight(atUs)),
    "0": () => {
      view.change({ atUs: 0 });
      view.show({ fromUs: 0, toUs: 0 });
    },
    Escape: () => (options.item === null ? false : view.change({ item: null })),
  };

  function inSight(us: number): number {
    return us < window.fromUs || us > window.toUs ? (window.fromUs + window.toUs) / 2 : us;
  }
}
