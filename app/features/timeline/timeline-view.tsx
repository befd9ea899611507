import { useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Card } from "../../ui/card.tsx";
import { useCopyLink } from "../../ui/use-copy-link.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { Timeline, TimelineHead } from "./timeline.ts";
import { TimelineAxis } from "./timeline-axis.tsx";
import { createTimelineKeys } from "./timeline-keys.ts";
import { TimelineList } from "./timeline-list.tsx";
import { TimelineMinimap } from "./timeline-minimap.tsx";
import { TimelineNotes } from "./timeline-notes.tsx";
import { toTimelinePath } from "./timeline-options.ts";
import { TimelineToolbar } from "./timeline-toolbar.tsx";
import { useTimelineView } from "./use-timeline-view.ts";

/** One failure on one axis: complete on its own page, compact under a stack trace. */
export function TimelineView({
  head,
  timeline,
  isCompact = false,
}: {
  head: Pick<TimelineHead, "eventId" | "traceId">;
  timeline: Timeline;
  isCompact?: boolean;
}) {
  const view = useTimelineView({ isPage: !isCompact, isAsSent: timeline.isAsSent });
  const [words, setWords] = useState("");
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const lanes = useMemo(
    () => (isCompact ? timeline.lanes.filter(({ state }) => state.kind === "present") : timeline.lanes),
    [isCompact, timeline],
  );
  const keys = createTimelineKeys({ view, lanes, frame });
  const {
    ArrowLeft,
    ArrowRight,
    ArrowUp,
    ArrowDown,
    "Shift+ArrowLeft": _,
    "Shift+ArrowRight": __,
    ...everywhere
  } = keys;
  const copyLink = useCopyLink();
  const { options } = view;
  const showOtherClocks = () => {
    if (timeline.skews.length === 0) return false;
    const path = toTimelinePath(head.eventId, { ...options, isAsSent: !timeline.isAsSent });
    void navigate(path, { replace: true, preventScrollReset: true });
  };
  useShortcuts(isCompact ? {} : { ...everywhere, c: showOtherClocks, y: copyLink, "/": () => search.current?.focus() });
  // Under a stack it is in a panel, and cards are never nested.
  const Frame = isCompact ? "div" : Card;
  return (
    <Frame className="timeline-card" data-list={options.isList || undefined} data-compact={isCompact || undefined}>
      <TimelineToolbar
        head={head}
        timeline={timeline}
        view={view}
        words={words}
        setWords={setWords}
        isCompact={isCompact}
        search={search}
      />
      <div className="timeline-wide">
        {!isCompact && <TimelineMinimap timeline={timeline} view={view} />}
        <TimelineAxis
          timeline={timeline}
          lanes={lanes}
          view={view}
          words={words}
          frame={frame}
          keys={keys}
          isCompact={isCompact}
        />
      </div>
      <TimelineList timeline={timeline} view={view} words={words} first={isCompact ? 12 : 100} />
      <TimelineNotes head={head} timeline={timeline} isCompact={isCompact} />
    </Frame>
  );
}
