import type { Workspace } from "../../access/workspace.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { hasRight } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import { toAvailability } from "../../domain/uptime/status-page.ts";
import { HERE, HERE_NAME, listPlaces, sayDownAt, type UptimeLocation } from "../../domain/uptime/uptime-location.ts";
import {
  nameTarget,
  type PlacedCheck,
  QUARTER_MS,
  type UptimeMonitor,
  type UptimeOutage,
  type UptimePlaceState,
  type UptimeQuarter,
} from "../../domain/uptime/uptime-monitor.ts";
import { type ListPage, takePage } from "../input/list-page.ts";
import { type NamedLocation, toUptimeFields, type UptimeField } from "./read-uptime-form.ts";
import { sayChecked, type Tick, toTicks } from "./uptime-words.ts";

/** The quarters of an hour in a day. */
const TICKS_OF_LIST = 96;
const DAYS_OF_PAGE = 30;
const OUTAGES_OF_PAGE = 20;

export interface UptimeItem {
  id: number;
  name: string;
  address: string;
  project: { slug: string; name: string };
  environment: string | null;
  isPaused: boolean;
  state: UptimeMonitor["state"];
  checked: string;
  ticks: Tick[];
  /** The share of good checks in the last 24 hours, from 0 to 1. Null: there was no check. */
  availability: number | null;
}

export interface UptimeListPage {
  /** The monitors on this page. */
  items: UptimeItem[];
  pages: ListPage;
  projects: Array<{ slug: string; name: string }>;
  mayChange: boolean;
  /** The downtimes of Culprit within the strips. */
  downtimes: Downtime[];
  /** The end of the strips, in milliseconds since 1970. */
  until: number;
}

/** Addresses that are checked, those that are down first. `projectSlug` empty: of all projects. */
export async function getUptimeList(
  workspace: Workspace,
  { text, projectSlug, page, now }: { text: string; projectSlug: string; page: number; now: number },
): Promise<UptimeListPage> {
  const { state, scope } = workspace;
  const projects = await state.projects.listProjects(scope);
  const project = projects.find(({ slug }) => slug === projectSlug);
  const found = await state.uptime.listUptimeMonitors(scope, { text, ...(project && { projectId: project.id }) });
  const { rows: monitors, ...pages } = takePage(found, page);
  return {
    pages,
    items: await toItems(workspace, monitors, { projects, now }),
    ...(await loadAxis(workspace, now)),
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    mayChange: hasRight(scope, "project:write"),
  };
}

/** The axis that all strips share. It ends with the current quarter of an hour. */
async function loadAxis({ state }: Workspace, now: number): Promise<Pick<UptimeListPage, "downtimes" | "until">> {
  const until = (Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS;
  return { until, downtimes: await state.monitors.listDowntimes(until - DAY_MS) };
}

async function toItems(
  { state, scope }: Workspace,
  monitors: readonly UptimeMonitor[],
  { projects, now }: { projects: ReadonlyArray<{ id: number; slug: string; name: string }>; now: number },
): Promise<UptimeItem[]> {
  const last = Math.floor(now / QUARTER_MS);
  const from = last - TICKS_OF_LIST + 1;
  const ids = monitors.map(({ id }) => id);
  const quarters = await state.uptime.listUptimeQuarters(scope, ids, from);
  return monitors.map(({ id, projectId, settings, isPaused, state: current }): UptimeItem => {
    const own = quarters.get(id) ?? [];
    const { slug, name } = projects.find((each) => each.id === projectId) ?? { slug: "", name: "" };
    return {
      id,
      name: settings.name,
      address: nameTarget(settings.target),
      project: { slug, name },
      environment: settings.environment,
      isPaused,
      state: current,
      checked: sayChecked(settings),
      ticks: toTicks(own, { from, count: TICKS_OF_LIST }),
      availability: toAvailability(own),
    };
  });
}

/** What one place sees of a monitor. */
export interface UptimePlace {
  locationId: number;
  name: string;
  /** Null: it has not checked yet. */
  state: UptimePlaceState | null;
  /** Since when nothing was heard of the place. Null: it is heard of. */
  silentSince: number | null;
  ticks: Tick[];
  /** The share of good checks among its own, in the last 24 hours. */
  availability: number | null;
}

export interface UptimePage {
  item: UptimeItem;
  /** Empty: only this server checks it. */
  places: UptimePlace[];
  /** A sentence that says when it counts as down. */
  rule: string;
  /** All locations, to choose from. */
  locations: NamedLocation[];
  fields: Record<UptimeField, string>;
  checks: Array<PlacedCheck & { place: string | null }>;
  outages: UptimeOutage[];
  /** Shares by day (UTC) for the last 30 days, the newest last. */
  days: Array<{ at: number; availability: number | null }>;
  availability: number | null;
  mayChange: boolean;
  /** As in the list. */
  downtimes: Downtime[];
  until: number;
  now: number;
}

/** Null: the monitor does not exist. */
export async function getUptimePage(
  workspace: Workspace,
  { monitorId, now }: { monitorId: number; now: number },
): Promise<UptimePage | null> {
  const { state, scope } = workspace;
  const monitor = await state.uptime.getUptimeMonitor(scope, monitorId);
  if (monitor === null) return null;
  const projects = await state.projects.listProjects(scope);
  const firstDay = Math.floor(now / DAY_MS) - DAYS_OF_PAGE + 1;
  const [[item], checks, outages, byMonitor, locations] = await Promise.all([
    toItems(workspace, [monitor], { projects, now }),
    state.uptime.listUptimeChecks(scope, monitorId),
    state.uptime.listUptimeOutages(scope, monitorId, OUTAGES_OF_PAGE),
    state.uptime.listUptimeQuarters(scope, [monitorId], (firstDay * DAY_MS) / QUARTER_MS),
    state.uptimeLocations.listUptimeLocations(),
  ]);
  if (item === undefined) return null;
  const quarters: UptimeQuarter[] = byMonitor.get(monitorId) ?? [];
  const dayOf = ({ quarter }: UptimeQuarter) => Math.floor((quarter * QUARTER_MS) / DAY_MS);
  const mayChange = hasRight(scope, "project:write");
  const isShared = monitor.settings.locationIds.length > 0;
  return {
    item,
    places: await loadPlaces(workspace, { monitor, locations, now }),
    rule: sayDownAt(monitor.settings),
    locations: locations.map(({ id, name }) => ({ id, name })),
    // Headers and bodies may hold secrets, so only people who may change them see them.
    fields: mayChange
      ? toUptimeFields(monitor.settings)
      : { ...toUptimeFields(monitor.settings), headers: "", body: "" },
    // If only one place checks, it is not named.
    checks: checks.map((each) => ({ ...each, place: isShared ? nameLocation(each.locationId, locations) : null })),
    outages,
    days: Array.from({ length: DAYS_OF_PAGE }, (_, index) => ({
      at: (firstDay + index) * DAY_MS,
      availability: toAvailability(quarters.filter((each) => dayOf(each) === firstDay + index)),
    })),
    availability: toAvailability(quarters),
    mayChange,
    ...(await loadAxis(workspace, now)),
    now,
  };
}

async function loadPlaces(
  { state, scope }: Workspace,
  { monitor, locations, now }: { monitor: UptimeMonitor; locations: readonly UptimeLocation[]; now: number },
): Promise<UptimePlace[]> {
  if (monitor.settings.locationIds.length === 0) return [];
  const from = Math.floor(now / QUARTER_MS) - TICKS_OF_LIST + 1;
  const quarters = await state.uptimeLocations.listPlaceQuarters(scope, monitor.id, from);
  return listPlaces(monitor.settings).map((locationId): UptimePlace => {
    const own = quarters.get(locationId) ?? [];
    return {
      locationId,
      name: nameLocation(locationId, locations),
      state: monitor.state.places.find((each) => each.locationId === locationId) ?? null,
      silentSince: locations.find(({ id }) => id === locationId)?.silentSince ?? null,
      ticks: toTicks(own, { from, count: TICKS_OF_LIST }),
      availability: toAvailability(own),
    };
  });
}

function nameLocation(locationId: number, locations: readonly NamedLocation[]): string {
  if (locationId === HERE) return HERE_NAME;
  return locations.find(({ id }) => id === locationId)?.name ?? `location ${locationId}`;
}
