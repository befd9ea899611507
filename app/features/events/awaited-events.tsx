import { useEffect } from "react";
import { useRevalidation } from "../../navigation/use-revalidation.ts";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

const LOOK_EVERY_MS = 2_000;
/** A minute: what does not come by then is not on its way. */
const MAX_LOOKS = 30;

/** In the place of an event, while the issue has none: after a merge was undone they come within seconds, and the page looks for them. */
export function AwaitedEvents() {
  const revalidate = useRevalidation();
  useEffect(() => {
    let looks = 0;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      looks += 1;
      if (looks >= MAX_LOOKS) clearInterval(timer);
      revalidate();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <Panel title="Event">
      <EmptyState isOfEvents title="No event is stored here yet">
        Events that are on their way appear by themselves, within seconds.
      </EmptyState>
    </Panel>
  );
}
