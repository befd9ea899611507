import { join } from "node:path";
import type { Config } from "../config.server.ts";
import { openDigest } from "../digest/open-digest.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import { openDuckdbEventStore } from "../stores/duckdb/open-duckdb-event-store.ts";
import type { EventStore } from "../stores/event-store.ts";
import { openPayloadFiles } from "../stores/files/open-payload-files.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { DataPaths } from "./data-paths.ts";
import type { Engine } from "./engine.ts";
import type { Metrics } from "./metrics.server.ts";
import { DIGEST_STORES_MODULE, type DigestStoresOptions } from "./open-digest-stores.ts";

const MiB = 1024 * 1024;

/** What comes behind the journal: the stores of events and payloads, and the digest that fills them. */
export interface EventSide {
  events: EventStore;
  payloads: PayloadStore;
  /** To be called for each accepted event. */
  accepted(eventId: string, sequence: number): void;
  isPending: Engine["isPending"];
  backlog: Engine["backlog"];
  /** @throws when the digest does not answer */
  pingDigest(): Promise<void>;
  /** Finishes the batch that is begun. */
  close(): Promise<void>;
}

interface EventSideOptions {
  paths: DataPaths;
  stores: Config["stores"];
  journal: Journal;
  feed: LiveFeed;
  metrics: Metrics;
  log: Log;
}

export async function openEventSide({
  paths,
  stores,
  journal,
  feed,
  metrics,
  log,
}: EventSideOptions): Promise<EventSide> {
  const events = await openDuckdbEventStore({
    path: paths.events,
    tempDir: paths.eventsTemp,
    memoryLimitMb: Math.floor(stores.eventsMemoryBytes / MiB),
  });
  const payloads = await openPayloadFiles({ dir: paths.payloads });
  const storesOptions: DigestStoresOptions = { statePath: paths.state, payloadDir: paths.payloads };
  const digest = openDigest({
    journal,
    journalDir: paths.journal,
    setAsideDir: join(paths.journal, "set-aside"),
    storesModule: DIGEST_STORES_MODULE,
    storesOptions,
    events,
    feed,
    log: log.child({ part: "digest" }),
    onBatch({ stored, records, durationMs }) {
      for (const [category, items] of stored) metrics.stored(category, items);
      metrics.digested({ records, durationMs });
    },
  });
  return {
    events,
    payloads,
    accepted: (eventId, sequence) => digest.accepted(eventId, sequence),
    isPending: (eventId) => digest.isPending(eventId),
    backlog() {
      const { backlogRecords, backlogBytes, recordsPerSecond } = digest.stats();
      return { records: backlogRecords, bytes: backlogBytes, recordsPerSecond };
    },
    pingDigest: () => digest.ping(),
    async close() {
      await digest.close();
      await payloads.close();
      await events.close();
    },
  };
}
