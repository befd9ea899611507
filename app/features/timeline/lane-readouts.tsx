import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { TimelineItem, TimelineLane } from "./timeline.ts";
import { formatOffset, readLaneAt } from "./timeline-words.ts";

const AtContext = createContext<number | null>(null);
/** Milliseconds that the cursor rests before it is announced. */
const REST_MS = 300;
const MAX_READ = 6;

/** Tells the lanes where the cursor is. When it rests, tells a screen reader what the lanes did there. */
export function LaneReadouts({
  lanes,
  atUs,
  children,
}: {
  lanes: readonly TimelineLane[];
  atUs: number | null;
  children: ReactNode;
}) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (atUs === null) return;
    const timer = setTimeout(() => setSaid(describeAt(lanes, atUs)), REST_MS);
    return () => clearTimeout(timer);
  }, [lanes, atUs]);
  return (
    <AtContext value={atUs}>
      {children}
      <p className="sr-only" role="status">
        {said}
      </p>
    </AtContext>
  );
}

/** What the lane did at the cursor. Empty without a cursor. */
export function LaneReadout({ items }: { items: readonly TimelineItem[] }) {
  const atUs = useContext(AtContext);
  if (atUs === null) return null;
  const { what, when } = readLaneAt(items, atUs);
  return (
    <span className="timeline-readout" aria-hidden="true">
      <code>{what}</code>
      <span>{when}</span>
    </span>
  );
}

function describeAt(lanes: readonly TimelineLane[], atUs: number): string {
  const parts = lanes
    .map(({ name, service, items }) => ({ name: service ?? name, ...readLaneAt(items, atUs) }))
    .filter(({ what }) => what !== "")
    .slice(0, MAX_READ)
    .map(({ name, what, when }) => `${name}: ${what}, ${when}`);
  return `${formatOffset(atUs)}. ${parts.join(". ")}`;
}
