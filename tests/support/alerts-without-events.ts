import { createRouteAlertsJob, type RouteAlertsParts } from "../../app/jobs/route-alerts.ts";
import { JOURNAL } from "../../app/stores/state/contract/fixture.ts";

/** The job beside an event store that is far behind: rules that ask nothing of an event do not wait for it, and read none. */
export function createAlertsWithoutEvents(parts: Omit<RouteAlertsParts, "events" | "payloads" | "journals">) {
  const behind = async () => Promise.reject(new Error("no event is stored"));
  return createRouteAlertsJob({
    ...parts,
    events: { appliedSequence: async () => -1, getEvent: behind, findEdge: behind },
    payloads: { readEvent: behind },
    journals: [{ id: JOURNAL, firstSequence: -1 }],
  });
}
