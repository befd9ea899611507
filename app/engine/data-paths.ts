import { join } from "node:path";

export interface DataPaths {
  journal: string;
  state: string;
  events: string;
  /** Where larger queries spill to; may be deleted while nothing runs. */
  eventsTemp: string;
  payloads: string;
}

/** What lies where in the data folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    journal: join(dataDir, "journal"),
    state: join(dataDir, "state.sqlite"),
    events: join(dataDir, "events.duckdb"),
    eventsTemp: join(dataDir, "events.tmp"),
    payloads: join(dataDir, "payloads"),
  };
}
