import type { Scope } from "../../domain/scope.ts";
import type { UptimeLocation } from "../../domain/uptime/uptime-location.ts";
import type { UptimeCheck, UptimeMonitor, UptimeQuarter } from "../../domain/uptime/uptime-monitor.ts";

/** A location as it is stored, with its token. */
export interface LocationOfToken extends UptimeLocation {
  /** Null: it has none. */
  tokenId: number | null;
}

/** The organization's locations, as its tokens are: the same for everybody in it. */
export interface UptimeLocationStore {
  /** By name. At most `LOCATION_LIMITS.locations`. */
  listUptimeLocations(): Promise<LocationOfToken[]>;
  /** `taken`: another has this name, in any case. `full`: there are as many as there may be. It is silent until it is heard of. */
  createUptimeLocation(location: {
    name: string;
    tokenId: number;
    now: number;
  }): Promise<UptimeLocation | "taken" | "full">;
  /** Null: there is none. The former token stays as it is. */
  setUptimeLocationToken(locationId: number, tokenId: number): Promise<{ formerTokenId: number | null } | null>;
  /**
   * What it has seen goes, too. `used`: these monitors are checked from nowhere else, and it stays; those out of the scope count, without
   * their names. Null: there is none.
   */
  deleteUptimeLocation(
    scope: Scope,
    locationId: number,
  ): Promise<{ formerTokenId: number | null } | { used: { names: string[]; count: number } } | null>;
  /** What each place of a monitor has seen from this quarter on, by location; 0: this server. Of the last two days. */
  listPlaceQuarters(scope: Scope, monitorId: number, fromQuarter: number): Promise<Map<number, UptimeQuarter[]>>;
}

/** A check by a location. `settingsKey` says which settings it had. */
export interface LocationCheck {
  monitorId: number;
  /** As `listMonitorsOf` has given it. */
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
  /** Those that are not paused, by id. */
  listMonitorsOf(locationId: number): Promise<MonitorOfLocation[]>;
  /**
   * Saves what a location has seen, as `UptimeWork.saveUptimeCheck` does. False, and nothing is changed: the check is known already, comes too
   * soon after the one before, is of former settings, or of a monitor that the location does not check.
   */
  saveLocationCheck(locationId: number, seen: LocationCheck): Promise<boolean>;
  /**
   * Marks locations that were not heard of since `before` as silent. A monitor that is up, and that no place checks any more, becomes
   * unknown, with a finding. Gives the names of locations that have just become silent.
   */
  markSilentLocations(now: number, before: number): Promise<string[]>;
}
