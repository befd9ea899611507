import { useEffect, useState } from "react";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useReadingAgain } from "../jobs/use-reading-again.ts";

const PAUSE_MS = 2_000;
/** What does not come by then is not on its way. */
const MAX_WAIT_MS = 60_000;

/** In the place of an event, while the issue has none: after a merge was undone they come within seconds, and the page looks for them. */
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
