import type { ControlCommand } from "../control/open-control-socket.server.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { COPY_WITHIN_MS, expectStep, SNAPSHOT_WITHIN_MS } from "./hold-folder.server.ts";

/** The running server's side of `holdFolder`. The hold ends when the other side dies. */
export function createHoldCommand(events: () => Promise<Pick<EventStore, "holdFiles">>): ControlCommand {
  return async (_, lines) => {
    const store = await events();
    const held = await store.holdFiles(async () => {
      lines.send({ step: "held" });
      expectStep(await lines.receive(SNAPSHOT_WITHIN_MS), "snapshot-taken");
    });
    try {
      lines.send({ step: "goes-on" });
      expectStep(await lines.receive(COPY_WITHIN_MS), "copied");
    } finally {
      held.release();
    }
    if (!held.isIntact()) throw new Error("the event database was opened again while it was copied: try again");
    return {};
  };
}
