import type { Workspace } from "../../app/access/workspace.ts";
import { toCutoffs } from "../../app/domain/stored-signal.ts";
import type { EventReader } from "../../app/stores/events/event-store.ts";
import { EVERYTHING } from "../../app/stores/state/contract/fixture.ts";

/** A workspace over everything with the parts that a test has. Another part throws when it is used. */
export function testWorkspace({
  events,
  ...parts
}: Partial<Omit<Workspace, "events">> & Pick<Workspace, "state"> & { events?: Partial<EventReader> }): Workspace {
  const known: Partial<Workspace> = {
    scope: EVERYTHING,
    seesEverything: true,
    organization: { slug: "default", name: "Default", createdAt: 0, requiresSecondFactor: false },
    user: null,
    whenEventsStored: async () => {},
    whenAllStored: async () => {},
    settings: {
      publicUrl: null,
      neutralPath: "/t/",
      retention: { days: 90, signalDays: toCutoffs(() => 90) },
      proxySignIn: null,
      allowsPrivateChecks: false,
      version: "0.0.0",
    },
    ...parts,
    ...(events ? { events: events as EventReader } : {}),
  };
  return new Proxy(known as Workspace, {
    get(workspace, name) {
      if (!(name in workspace) && typeof name === "string") throw new Error(`this test's workspace has no ${name}`);
      return Reflect.get(workspace, name);
    },
  });
}
