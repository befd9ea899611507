import { expect, test } from "vitest";
import { HERE, LOCATION_LIMITS } from "../../../domain/uptime/uptime-location.ts";
import {
  CHECKED_HERE,
  QUARTER_MS,
  type UptimeCheck,
  type UptimeSettings,
} from "../../../domain/uptime/uptime-monitor.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const SETTINGS: UptimeSettings = {
  name: "Shop",
  target: { kind: "tcp", host: "shop.example", port: 443 },
  intervalSeconds: 60,
  timeoutMs: 5_000,
  assertions: [],
  certificateDays: null,
  environment: null,
  ...CHECKED_HERE,
};

let count = 0;
function check(at: number, reason: string | null = null): UptimeCheck {
  const traceId = (count++).toString(16).padStart(32, "0");
  return { at, durationMs: 100, reason, httpStatus: null, certificateEndsAt: null, traceId };
}

async function createUser({ people }: State): Promise<number> {
  return people.createMember({
    email: "owner@example.com",
    name: "Owner",
    passwordHash: "x",
    role: "owner",
    projectIds: [],
    teamIds: [],
    at: NOON,
  });
}

async function addLocation({ tokens, uptimeLocations }: State, userId: number, name: string) {
  const token = await tokens.createToken({
    kind: "organization",
    name: `Location ${name}`,
    scopes: ["uptime:check"],
    hint: "4f2e",
    userId,
    tokenHash: name.padEnd(64, "0"),
    expiresAt: null,
    at: NOON,
  });
  const location = await uptimeLocations.createUptimeLocation({ name, tokenId: token.id, now: NOON });
  if (typeof location === "string") throw new Error(location);
  return { id: location.id, tokenId: token.id };
}

/** A monitor that a location checks, alone or beside this server. */
async function prepare(store: State, change: Partial<UptimeSettings> = {}) {
  const userId = await createUser(store);
  const { id, tokenId } = await addLocation(store, userId, "Frankfurt");
  const settings = { ...SETTINGS, locationIds: [id], ...change };
  const monitor = await store.uptime.createUptimeMonitor(EVERYTHING, 1, settings, NOON);
  if (monitor === null) throw new Error("there was no room for a monitor");
  const [task] = await store.uptimeLocationWork.listMonitorsOf(id);
  const settingsKey = task?.settingsKey ?? "";
  const tell = (each: UptimeCheck) =>
    store.uptimeLocationWork.saveLocationCheck(id, { monitorId: monitor.id, settingsKey, check: each });
  const read = () => store.uptime.getUptimeMonitor(EVERYTHING, monitor.id);
  return { userId, locationId: id, tokenId, monitor, tell, read };
}

export function describeUptimeLocations(createDatabase: CreateStateDatabase): void {
  test("a location has a name of its own and a token, and is silent until it is heard of", async () => {
    await using store = await openStore(createDatabase);
    const { uptimeLocations, uptimeLocationWork, tokens } = store;
    const userId = await createUser(store);
    const { id, tokenId } = await addLocation(store, userId, "Frankfurt");
    expect(await uptimeLocations.listUptimeLocations()).toEqual([
      {
        id,
        name: "Frankfurt",
        tokenId,
        tokenHint: "4f2e",
        createdAt: NOON,
        lastSeenAt: null,
        silentSince: NOON,
        version: null,
      },
    ]);
    expect(await uptimeLocations.createUptimeLocation({ name: "FRANKFURT", tokenId, now: NOON })).toBe("taken");
    expect((await uptimeLocationWork.findLocationOfToken(tokenId))?.id).toBe(id);
    expect(await uptimeLocationWork.noteLocationSeen(id, { now: NOON + 1, version: "1.0" })).toBe(true);
    expect(await uptimeLocationWork.noteLocationSeen(id, { now: NOON + 2, version: "1.0" })).toBe(false);
    expect(await uptimeLocations.listUptimeLocations()).toMatchObject([
      { lastSeenAt: NOON + 2, silentSince: null, version: "1.0" },
    ]);
    const other = await addLocation(store, userId, "Oslo");
    expect(await uptimeLocations.setUptimeLocationToken(other.id + 1, tokenId)).toBeNull();
    await tokens.revokeToken(tokenId, NOON);
    expect((await uptimeLocations.listUptimeLocations())[0]?.tokenHint).toBeNull();
    for (let more = 2; more < LOCATION_LIMITS.locations; more++) await addLocation(store, userId, `Place ${more}`);
    expect(await uptimeLocations.createUptimeLocation({ name: "One more", tokenId: 999, now: NOON })).toBe("full");
  });

  test("what a location tells counts once, of the monitors and settings that it was given", async () => {
    await using store = await openStore(createDatabase);
    const { locationId, monitor, tell, read } = await prepare(store, { isCheckedHere: false });
    // This server does not ask by itself.
    expect(await store.uptimeWork.claimUptimeMonitors({ now: NOON * 2, limit: 10, leaseMs: 1 })).toEqual([]);
    const first = check(NOON);
    expect(await tell(first)).toBe(true);
    expect(await tell({ ...first, at: NOON + 60_000 })).toBe(false);
    expect(await tell(check(NOON + LOCATION_LIMITS.minGapMs - 1))).toBe(false);
    expect(await tell(check(NOON - 60_000))).toBe(false);
    expect(await tell(check(NOON + 60_000, "no answer"))).toBe(true);
    expect(await tell(check(NOON + 70_000, "no answer"))).toBe(true);
    expect((await read())?.state).toMatchObject({ status: "down", since: NOON + 60_000, places: [{ locationId }] });
    const [trouble] = await store.findings.listFindings(10);
    expect(trouble?.finding).toMatchObject({ kind: "trouble", message: "Shop is down: no answer" });
    const quarters = await store.uptimeLocations.listPlaceQuarters(EVERYTHING, monitor.id, 0);
    expect(quarters.get(locationId)).toMatchObject([{ quarter: Math.floor(NOON / QUARTER_MS), checks: 3, failed: 2 }]);
    expect((await store.uptimeLocations.listPlaceQuarters(scopeOf(), monitor.id, 0)).size).toBe(0);
    expect(await store.uptime.listUptimeChecks(EVERYTHING, monitor.id)).toMatchObject([
      { locationId, at: NOON + 70_000 },
      { locationId },
      { locationId, at: NOON },
    ]);
    await store.uptime.saveUptimeSettings(EVERYTHING, monitor.id, { ...monitor.settings, timeoutMs: 900 }, NOON);
    expect(await tell(check(NOON + 130_000))).toBe(false);
    await store.uptime.pauseUptimeMonitor(EVERYTHING, monitor.id, true, NOON);
    expect(await store.uptimeLocationWork.listMonitorsOf(locationId)).toEqual([]);
    expect(await store.uptimeLocationWork.listMonitorsOf(locationId + 1)).toEqual([]);
  });

  test("this server and a location decide together, and its own time of the next check is its own", async () => {
    await using store = await openStore(createDatabase);
    const { monitor, locationId, tell, read } = await prepare(store);
    await store.uptimeLocationWork.noteLocationSeen(locationId, { now: NOON, version: null });
    await store.uptimeWork.saveUptimeCheck(monitor, check(NOON));
    await tell(check(NOON + 1_000, "no answer"));
    await tell(check(NOON + 11_000, "no answer"));
    expect(await read()).toMatchObject({ state: { status: "up" }, nextCheckAt: NOON + 60_000 });
    await store.uptimeWork.saveUptimeCheck(monitor, check(NOON + 60_000, "no answer"));
    await store.uptimeWork.saveUptimeCheck(monitor, check(NOON + 70_000, "no answer"));
    expect((await read())?.state.status).toBe("down");
    // What one place alone saw is not counted of the address.
    const quarters = await store.uptime.listUptimeQuarters(EVERYTHING, [monitor.id], 0);
    expect(quarters.get(monitor.id)).toMatchObject([{ checks: 3, failed: 2 }]);
    const places = await store.uptimeLocations.listPlaceQuarters(EVERYTHING, monitor.id, 0);
    expect([...places.keys()]).toEqual([HERE, locationId]);
  });

  test("a location that is not heard of makes unknown what it alone watched, and leaves what was down", async () => {
    await using store = await openStore(createDatabase);
    const { locationId, monitor, tell, read } = await prepare(store, { isCheckedHere: false });
    const { uptimeLocationWork: work } = store;
    await work.noteLocationSeen(locationId, { now: NOON, version: null });
    await tell(check(NOON));
    expect(await work.markSilentLocations(NOON + 90_000, NOON)).toEqual([]);
    expect(await work.markSilentLocations(NOON + 90_001, NOON + 1)).toEqual(["Frankfurt"]);
    expect(await work.markSilentLocations(NOON + 90_002, NOON + 2)).toEqual([]);
    expect((await read())?.state.status).toBe("unknown");
    const listFound = async () =>
      (await store.findings.listFindings(10)).map(({ finding }) => `${finding.kind} ${finding.subject}`);
    expect(await listFound()).toEqual([`trouble unwatched ${monitor.id}`]);
    const [told] = await store.findings.listFindings(10);
    expect(told?.finding).toMatchObject({ message: "Nobody checks Shop: Frankfurt is not heard of" });
    await store.findings.dropFinding(told?.position ?? 0);
    expect((await store.uptimeLocations.listUptimeLocations())[0]?.silentSince).toBe(NOON);
    await work.noteLocationSeen(locationId, { now: NOON + 100_000, version: null });
    await tell(check(NOON + 100_000, "no answer"));
    expect(await listFound()).toEqual([`recovery unwatched ${monitor.id}`]);
    await tell(check(NOON + 110_000, "no answer"));
    await work.markSilentLocations(NOON + 300_000, NOON + 200_000);
    expect((await read())?.state.status).toBe("down");
    expect(await store.uptime.listUptimeOutages(EVERYTHING, monitor.id, 10)).toMatchObject([{ endedAt: null }]);
  });

  test("a location stays while it alone checks something, and takes what it has seen with it", async () => {
    await using store = await openStore(createDatabase);
    const { locationId, tokenId, monitor, tell, read } = await prepare(store, { isCheckedHere: false });
    await tell(check(NOON));
    const remove = () => store.uptimeLocations.deleteUptimeLocation(EVERYTHING, locationId);
    expect(await remove()).toEqual({ used: { names: ["Shop"], count: 1 } });
    expect(await store.uptimeLocations.deleteUptimeLocation(scopeOf(), locationId)).toEqual({
      used: { names: [], count: 1 },
    });
    const settings = { ...monitor.settings, isCheckedHere: true };
    await store.uptime.saveUptimeSettings(EVERYTHING, monitor.id, settings, NOON);
    expect(await store.uptimeWork.claimUptimeMonitors({ now: NOON, limit: 10, leaseMs: 1 })).toHaveLength(1);
    expect(await remove()).toEqual({ formerTokenId: tokenId });
    expect(await remove()).toBeNull();
    expect((await read())?.settings.locationIds).toEqual([]);
    expect(await store.uptime.listUptimeChecks(EVERYTHING, monitor.id)).toEqual([]);
  });
}
