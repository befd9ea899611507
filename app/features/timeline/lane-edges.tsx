import { createContext, useContext } from "react";
import type { TimelineItem, TimeRange } from "./timeline.ts";

/** The visible window, and how to bring a range into it. Null: there is no window. */
export const WindowContext = createContext<{ window: TimeRange; show: (range: TimeRange) => void } | null>(null);

/** If all items of a lane are out of view: their number, the side, and a button that shows them. */
export function LaneEdges({ items }: { items: readonly TimelineItem[] }) {
  const view = useContext(WindowContext);
  if (!view || items.length === 0) return null;
  const { window, show } = view;
  const earlier = items.filter(({ fromUs, toUs }) => (toUs ?? fromUs) < window.fromUs);
  const later = items.filter(({ fromUs }) => fromUs > window.toUs);
  if (earlier.length + later.length < items.length) return null;
  const nearest = (item: TimelineItem | undefined) => item && show({ fromUs: item.fromUs, toUs: item.fromUs });
  return (
    <>
      {earlier.length > 0 && (
        <button type="button" tabIndex={-1} className="timeline-edge" onClick={() => nearest(earlier.at(-1))}>
          ◂ {earlier.length} earlier
        </button>
      )}
      {later.length > 0 && (
        <button
          type="button"
          tabIndex={-1}
          className="timeline-edge timeline-edge-later"
          onClick={() => nearest(later[0])}
        >
          {later.length} later ▸
        </button>
      )}
    </>
  );
}
