import { Card } from "../../ui/card.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import type { TimelineHead } from "./timeline.ts";

const LANES = ["Deploys", "What the user did", "Spans", "Logs"];

/** Keeps the space of the lanes while they are read. The lane of the error itself is already shown. */
export function WaitingTimeline({
  head,
  isCompact = false,
}: {
  head: Pick<TimelineHead, "title" | "level">;
  isCompact?: boolean;
}) {
  const Frame = isCompact ? "div" : Card;
  return (
    <Frame className="timeline-card timeline-waiting">
      <p className="sr-only" role="status">
        Reading what happened around it.
      </p>
      {LANES.map((name) => (
        <div key={name} className="timeline-waiting-lane">
          <span className="font-semibold">{name}</span>
          <span className="timeline-sweep" aria-hidden="true" />
        </div>
      ))}
      <div className="timeline-waiting-lane">
        <span className="font-semibold">Errors</span>
        <span className="flex min-w-0 items-center gap-2 text-error">
          <LevelMark level={head.level} />
          <bdi className="truncate font-mono font-semibold">{head.title}</bdi>
        </span>
      </div>
    </Frame>
  );
}
