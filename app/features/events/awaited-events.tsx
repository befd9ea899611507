import { useEffect, useState } from "react";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useReadingAgain } from "../jobs/use-reading-again.ts";

const PAUSE_MS = 2_000;
/** Events that have not come after this time are no longer on their way. */
const MAX_WAIT_MS = 60_000;

/** Stands in for an event while the issue has none. After an undone merge, events come within seconds, and the page checks for them. */
export function AwaitedEvents() {
  const [isAwaited, setAwaited] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setAwaited(false), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useReadingAgain(isAwaited, PAUSE_MS);
  return (
    <Panel title="Event">
      <EmptyState isOfEvents title="No event is stored here yet">
        Events that are on their way appear by themselves, within seconds.
      </EmptyState>
    </Panel>
  );
}
