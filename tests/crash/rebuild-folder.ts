import { join } from "node:path";
import { toCutoffs } from "../../app/domain/stored-signal.ts";
import { type DuckdbEventStoreOptions, openDuckdbEventStore } from "../../app/stores/duckdb/open-duckdb-event-store.ts";
import { openPayloadFiles } from "../../app/stores/files/open-payload-files.ts";

/** The event store and the payload files of a folder whose state has stored events. */
export async function openRebuildFolder(
  dir: string,
  { maxFileBytes = 100_000, ...options }: Partial<DuckdbEventStoreOptions> & { maxFileBytes?: number } = {},
) {
  const folder = {
    id: "00112233445566778899aabbccddeeff",
    statePath: join(dir, "state.sqlite"),
    hasStored: true,
    journals: [],
  };
  const events = await openDuckdbEventStore({
    path: join(dir, "events.duckdb"),
    tempDir: join(dir, "temp"),
    folder,
    // So little that a checkpoint is nearly always running.
    logLimits: { bytes: 1_000_000, events: 20_000 },
    ...options,
  });
  const payloads = await openPayloadFiles({ dir: join(dir, "payloads"), maxFileBytes });
  return {
    events,
    payloads,
    damage: {
      noteDamaged: async () => 0,
      sumHeld: async () => [],
      noteLost: async () => 0,
      sumLost: async () => [],
      noteFound: async () => 0,
    },
    expirations: { expiredUpTo: async () => toCutoffs(() => 0) },
    positions: async () => ({ state: [], events: [] }),
    deletions: { findDeleted: async () => new Set<string>(), listDeletedProjects: async () => [] },
  };
}
