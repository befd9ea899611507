import type { UptimeCheck, UptimeSettings } from "./uptime-monitor.ts";

/** The settings that a place needs to make a check. */
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
  /** Key of the list that the location has. Null: it has none. */
  listKey: string | null;
  /** Version of the Culprit that runs there. */
  version: string | null;
  /** In the order in which the checks were made. */
  results: readonly LocationResult[];
}

export interface LocationOrders {
  location: string;
  listKey: string;
  /** Null: the location has the present list already. */
  monitors: LocationTask[] | null;
  /** Results that were saved. */
  taken: number;
  /**
   * Results that were not saved. They were known already, too close to the one before, too old, or of a monitor that is no longer
   * checked in this way.
   */
  ignored: number;
}
