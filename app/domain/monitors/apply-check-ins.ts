import type { CheckIn, CheckInStatus, MonitorConfig } from "../monitor.ts";

/** Check-ins over these limits make no monitor and no environment, and are counted as overflow. They are still stored. */
export const MAX_MONITORS_OF_PROJECT = 1_000;
export const MAX_ENVIRONMENTS_OF_MONITOR = 100;

/** A check-in of a batch, in the order of the records. */
export type AppliedCheckIn = CheckIn & {
  /** The sequence of its journal record. */
  sequence: number;
  projectId: number;
  receivedAt: number;
};

/** Check-ins of a project that found no room among its monitors. */
export interface MonitorOverflow {
  projectId: number;
  checkInCount: number;
  lastSlug: string;
  lastAt: number;
}

/** The check-ins of a batch for one environment of a monitor, summed. Instants are whole milliseconds. */
export interface EnvironmentChange {
  name: string;
  checkInCount: number;
  firstAt: number;
  lastAt: number;
  lastStatus: CheckInStatus;
  /** Null: no check-in finished, and the stored one stays. */
  lastFinishedStatus: CheckInStatus | null;
  /** In the order of their records. */
  checkIns: AppliedCheckIn[];
}

export interface MonitorChange {
  projectId: number;
  slug: string;
  /** Null: the batch makes the monitor. */
  monitorId: number | null;
  /** The last configuration that a check-in contained. Null: there was none, and the stored one stays. */
  config: MonitorConfig | null;
  createdAt: number;
  environments: EnvironmentChange[];
}

export interface KnownMonitor {
  monitorId: number;
  projectId: number;
  slug: string;
  environments: readonly string[];
}

export interface KnownMonitors {
  /** The monitors that the check-ins name. */
  monitors: readonly KnownMonitor[];
  /** The number of monitors in each project of the check-ins. */
  countByProject: ReadonlyMap<number, number>;
}

/** Sorts check-ins by monitor and environment, and leaves out those beyond the limits. */
export function applyCheckIns(
  known: KnownMonitors,
  checkIns: readonly AppliedCheckIn[],
): { monitors: MonitorChange[]; overflows: MonitorOverflow[] } {
  const knownBySlug = new Map(known.monitors.map((monitor) => [toKey(monitor), monitor]));
  const countByProject = new Map(known.countByProject);
  const overflows = new Map<number, MonitorOverflow>();
  const monitors: MonitorChange[] = [];
  for (const change of sumByMonitor(checkIns)) {
    const stored = knownBySlug.get(toKey(change));
    const count = countByProject.get(change.projectId) ?? 0;
    if (stored === undefined && count >= MAX_MONITORS_OF_PROJECT) {
      for (const environment of change.environments) addOverflow(overflows, change, environment);
      continue;
    }
    if (stored === undefined) countByProject.set(change.projectId, count + 1);
    const names = new Set(stored?.environments);
    const environments = change.environments.filter((environment) => {
      const hasRoom = names.has(environment.name) || names.size < MAX_ENVIRONMENTS_OF_MONITOR;
      if (hasRoom) names.add(environment.name);
      else addOverflow(overflows, change, environment);
      return hasRoom;
    });
    monitors.push({ ...change, monitorId: stored?.monitorId ?? null, environments });
  }
  return { monitors, overflows: [...overflows.values()] };
}

function sumByMonitor(checkIns: readonly AppliedCheckIn[]): Iterable<Omit<MonitorChange, "monitorId">> {
  const sums = new Map<string, Omit<MonitorChange, "monitorId">>();
  const environments = new Map<string, EnvironmentChange>();
  for (const checkIn of checkIns) {
    const { projectId, slug, environment: name, status, config, receivedAt } = checkIn;
    const at = Math.floor(receivedAt);
    const key = toKey({ projectId, slug });
    const sum = sums.get(key) ?? { projectId, slug, config: null, createdAt: at, environments: [] };
    sums.set(key, sum);
    sum.config = config ?? sum.config;
    sum.createdAt = Math.min(sum.createdAt, at);
    const finished = status === "in_progress" ? null : status;
    const known = environments.get(`${key} ${name}`);
    if (known === undefined) {
      const added = {
        name,
        checkInCount: 1,
        firstAt: at,
        lastAt: at,
        lastStatus: status,
        lastFinishedStatus: finished,
        checkIns: [checkIn],
      };
      environments.set(`${key} ${name}`, added);
      sum.environments.push(added);
      continue;
    }
    known.checkIns.push(checkIn);
    known.checkInCount++;
    known.lastAt = at;
    known.lastStatus = status;
    known.lastFinishedStatus = finished ?? known.lastFinishedStatus;
  }
  return sums.values();
}

function addOverflow(
  overflows: Map<number, MonitorOverflow>,
  { projectId, slug }: { projectId: number; slug: string },
  { checkInCount, lastAt }: EnvironmentChange,
): void {
  const sum = overflows.get(projectId)?.checkInCount ?? 0;
  overflows.set(projectId, { projectId, checkInCount: sum + checkInCount, lastSlug: slug, lastAt });
}

/** The length of the slug comes first, so that a slug with a name behind it cannot look like another slug. */
function toKey({ projectId, slug }: { projectId: number; slug: string }): string {
  return `${projectId} ${slug.length} ${slug}`;
}
