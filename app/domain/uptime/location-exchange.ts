import type { UptimeCheck, UptimeSettings } from "./uptime-monitor.ts";

/** What is needed to make a check. */
export type AskedAddress = Pick<UptimeSettings, "target" | "timeoutMs" | "assertions">;

/** A monitor as a location gets it. Headers and bodies are among it: they are sent with each check. */
export interface LocationTask extends AskedAddress {
  monitorId: number;
  settingsKey: string;
  intervalSeconds: number;
}

/** A check as a location tells it: how long ago it began, so that its clock need not be right. */
export interface LocationResult extends Omit<UptimeCheck, "at"> {
  monitorId: number;
  settingsKey: string;
  ageMs: number;
}

export interface LocationReport {
  /** Of the list that it has; null: it has none. */
  listKey: string | null;
  /** Of the Culprit that it runs. */
  version: string | null;
  /** In the order in which they were made. */
  results: readonly LocationResult[];
}

export interface LocationOrders {
  location: string;
  listKey: string;
  /** Null: the list is the one that the location has. */
  monitors: LocationTask[] | null;
  /** Results that were saved. */
  taken: number;
  /** Known already, too close to the one before, too old, or of a monitor that is no longer checked in this way. */
  ignored: number;
}
