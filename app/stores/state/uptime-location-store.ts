import type { Scope } from "../../domain/scope.ts";
import type { UptimeLocation } from "../../domain/uptime/uptime-location.ts";
import type { UptimeCheck, UptimeMonitor, UptimeQuarter } from "../../domain/uptime/uptime-monitor.ts";

/** A stored location with its token. */
export interface LocationOfToken extends UptimeLocation {
  /** Null: it has none. */
  tokenId: number | null;
}

/** The organization's locations, as its tokens are: the same for everybody in it. */
export interface UptimeLocationStore {
  /** The locations by name, at most `LOCATION_LIMITS.locations`. */
  listUptimeLocations(): Promise<LocationOfToken[]>;
  /** `taken`: another has this name, in any case. `full`: there are as many as there may be. It is silent until it is heard of. */
  createUptimeLocation(location: {
    name: string;
    tokenId: number;
    now: number;
  }): Promise<UptimeLocation | "taken" | "full">;
  /** Null: there is no such location. The former token is not changed. */
  setUptimeLocationToken(locationId: number, tokenId: number): Promise<{ formerTokenId: number | null } | null>;
  /**
   * Deletes the location with its checks. `used`: these monitors have no other location, so it was not deleted. Monitors outside of the
   * scope count, without their names. Null: there is no such location.
   */
  deleteUptimeLocation(
    scope: Scope,
    locationId: number,
  ): Promise<{ formerTokenId: number | null } | { used: { names: string[]; count: number } } | null>;
  /** The quarters of a monitor since this one, by location; 0 is this server. Only of the last two days. */
  listPlaceQuarters(scope: Scope, monitorId: number, fromQuarter: number): Promise<Map<number, UptimeQuarter[]>>;
}

/** A check by a location. `settingsKey` identifies the settings of the check. */
export interface LocationCheck {
  monitorId: number;
  /** The key from `listMonitorsOf`. */
  settingsKey: string;
  check: UptimeCheck;
}

export interface MonitorOfLocation {
  monitor: UptimeMonitor;
  /** Changes with the settings. */
  settingsKey: string;
}

/** For the endpoint that locations call, and for the job that watches them. */
export interface UptimeLocationWork {
  /** Null: no location has this token. */
  findLocationOfToken(tokenId: number): Promise<UptimeLocation | null>;
  /** Writes that it was heard of. True: it had been silent. */
  noteLocationSeen(locationId: number, seen: { now: number; version: string | null }): Promise<boolean>;
  /** The monitors that are not paused, by id. */
  listMonitorsOf(locationId: number): Promise<MonitorOfLocation[]>;
  /**
   * Saves a check by a location, as `UptimeWork.saveUptimeCheck` does. False, and nothing is changed: the check is known already, comes too
   * soon after the one before, has former settings, or is of a monitor that the location does not check.
   */
  saveLocationCheck(locationId: number, seen: LocationCheck): Promise<boolean>;
  /**
   * Marks locations that have sent nothing since `before` as silent. A monitor that is up and has no working location left becomes unknown,
   * with a finding. Returns the names of the newly silent locations.
   */
  markSilentLocations(now: number, before: number): Promise<string[]>;
}
