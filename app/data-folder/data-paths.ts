import { join } from "node:path";

export interface DataPaths {
  journal: string;
  state: string;
  events: string;
  /** Where larger queries spill to; may be deleted while nothing runs. */
  eventsTemp: string;
  payloads: string;
  /** Spans, transactions and logs, but the newest. */
  days: string;
  /** Files that the server has set aside. */
  damaged: string;
  /** Uploads. */
  blobs: string;
  /** Pieces of uploads on their way; may be deleted while nothing runs. */
  chunks: string;
  /** Up to which upload stored events have been mapped; may be deleted while nothing runs. */
  sourceMapPass: string;
  /** Databases as they were before upgrades. */
  snapshots: string;
  /** The schemas that the last start has left; when it is missing, the next start takes a snapshot. */
  schema: string;
}

/** The paths in the data folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    journal: join(dataDir, "journal"),
    state: join(dataDir, "state.sqlite"),
    events: join(dataDir, "events.duckdb"),
    eventsTemp: join(dataDir, "events.tmp"),
    payloads: join(dataDir, "payloads"),
    days: join(dataDir, "days"),
    damaged: join(dataDir, "damaged"),
    blobs: join(dataDir, "blobs"),
    chunks: join(dataDir, "chunks"),
    sourceMapPass: join(dataDir, "source-map-pass.json"),
    snapshots: join(dataDir, "snapshots"),
    schema: join(dataDir, "schema.json"),
  };
}
