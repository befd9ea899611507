import { access } from "node:fs/promises";
import type { Journals } from "../journal/journals.ts";
import type { State } from "../stores/state/state.ts";
import type { EventSide } from "./open-event-side.server.ts";
import type { StatusEndpoints } from "./status-endpoints.server.ts";

/** What `/readyz` checks. `eventSide`: undefined until it is open. */
export function listReadinessChecks({
  journals: { express, bulk },
  state,
  eventSide,
  payloadDir,
}: {
  journals: Journals;
  state: State;
  eventSide: EventSide | undefined;
  payloadDir: string;
}): ReturnType<StatusEndpoints["checks"]> {
  return {
    journal: () => {
      const bulkRefusal = bulk.refusal(0);
      // If only the backlog of bulk is full, everything else is accepted.
      const refusal = express.refusal(0) ?? (bulkRefusal?.reason === "disk-error" ? bulkRefusal : null);
      if (refusal) throw new Error(refusal.message);
    },
    state: () => state.ping(),
    events: async () => requireEventSide(eventSide).events.ping(),
    digest: async () => requireEventSide(eventSide).pingDigest(),
    payloads: () => access(payloadDir),
  };
}

/** @throws when it is not open yet */
export function requireEventSide(eventSide: EventSide | undefined): EventSide {
  if (!eventSide) throw new Error("not open yet");
  return eventSide;
}
