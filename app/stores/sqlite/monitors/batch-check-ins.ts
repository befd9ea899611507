import type { CheckInStatus, MonitorConfig } from "../../../domain/monitor.ts";
import {
  type AppliedCheckIn,
  MAX_ENVIRONMENTS_OF_MONITOR,
  MAX_MONITORS_OF_PROJECT,
  type MonitorOverflow,
} from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** What the check-ins of a batch say of one environment of a monitor, summed. */
interface EnvironmentDraft {
  name: string;
  checkInCount: number;
  firstAt: number;
  lastAt: number;
  lastStatus: CheckInStatus;
  lastFinishedStatus: CheckInStatus | null;
}

interface MonitorDraft {
  projectId: number;
  slug: string;
  config: MonitorConfig | null;
  environments: Map<string, EnvironmentDraft>;
}

/** Within a write transaction. A monitor that runs each second is one row to write in a batch. */
export function saveCheckIns(db: SqliteConnection, checkIns: readonly AppliedCheckIn[]): void {
  const overflows = new Map<number, MonitorOverflow>();
  for (const draft of sumByMonitor(checkIns)) {
    const monitorId = findOrInsertMonitor(db, draft);
    for (const environment of draft.environments.values()) {
      if (monitorId === null || !saveEnvironment(db, monitorId, environment))
        addOverflow(overflows, draft, environment);
    }
  }
  for (const overflow of overflows.values()) {
    db.run(
      `INSERT INTO monitor_overflows (project_id, check_in_count, last_slug, last_at)
       VALUES (:projectId, :checkInCount, :lastSlug, :lastAt)
       ON CONFLICT DO UPDATE SET check_in_count = check_in_count + excluded.check_in_count,
         last_slug = excluded.last_slug, last_at = excluded.last_at`,
      { ...overflow },
    );
  }
}

function sumByMonitor(checkIns: readonly AppliedCheckIn[]): Iterable<MonitorDraft> {
  const drafts = new Map<string, MonitorDraft>();
  for (const { projectId, slug, environment: name, status, config, receivedAt } of checkIns) {
    const key = `${projectId} ${slug}`;
    const draft = drafts.get(key) ?? { projectId, slug, config: null, environments: new Map() };
    drafts.set(key, draft);
    draft.config = config ?? draft.config;
    const at = Math.floor(receivedAt);
    const known = draft.environments.get(name);
    draft.environments.set(name, {
      name,
      checkInCount: (known?.checkInCount ?? 0) + 1,
      firstAt: known?.firstAt ?? at,
      lastAt: at,
      lastStatus: status,
      lastFinishedStatus: status === "in_progress" ? (known?.lastFinishedStatus ?? null) : status,
    });
  }
  return drafts.values();
}

/** Null: the project has as many as it may have. */
function findOrInsertMonitor(
  db: SqliteConnection,
  { projectId, slug, config, environments }: MonitorDraft,
): number | null {
  const known = db.get<{ id: number }>("SELECT id FROM monitors WHERE project_id = :projectId AND slug = :slug", {
    projectId,
    slug,
  });
  const text = config && JSON.stringify(config);
  if (known !== undefined) {
    if (text !== null) db.run("UPDATE monitors SET config = :text WHERE id = :id", { text, id: known.id });
    return known.id;
  }
  const counted = db.get<{ count: number }>("SELECT count(*) AS count FROM monitors WHERE project_id = :projectId", {
    projectId,
  });
  if (counted !== undefined && counted.count >= MAX_MONITORS_OF_PROJECT) return null;
  const createdAt = Math.min(...[...environments.values()].map(({ firstAt }) => firstAt));
  const { insertedId } = db.run(
    "INSERT INTO monitors (project_id, slug, config, created_at) VALUES (:projectId, :slug, :text, :createdAt)",
    { projectId, slug, text, createdAt },
  );
  return insertedId;
}

/** False: the monitor has as many as it may have, and this is a further one. */
function saveEnvironment(db: SqliteConnection, monitorId: number, draft: EnvironmentDraft): boolean {
  const { name, firstAt, lastAt, lastStatus, lastFinishedStatus } = draft;
  const { changedRows } = db.run(
    `UPDATE monitor_environments SET last_check_in_at = :lastAt, last_status = :lastStatus,
       last_finished_status = coalesce(:lastFinishedStatus, last_finished_status)
     WHERE monitor_id = :monitorId AND environment = :name`,
    { monitorId, name, lastAt, lastStatus, lastFinishedStatus },
  );
  if (changedRows > 0) return true;
  const counted = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM monitor_environments WHERE monitor_id = :monitorId",
    { monitorId },
  );
  if (counted !== undefined && counted.count >= MAX_ENVIRONMENTS_OF_MONITOR) return false;
  db.run(
    `INSERT INTO monitor_environments (
       monitor_id, environment, created_at, last_check_in_at, last_status, last_finished_status)
     VALUES (:monitorId, :name, :firstAt, :lastAt, :lastStatus, :lastFinishedStatus)`,
    { monitorId, name, firstAt, lastAt, lastStatus, lastFinishedStatus },
  );
  return true;
}

function addOverflow(
  overflows: Map<number, MonitorOverflow>,
  { projectId, slug }: MonitorDraft,
  { checkInCount, lastAt }: EnvironmentDraft,
): void {
  const sum = overflows.get(projectId)?.checkInCount ?? 0;
  overflows.set(projectId, { projectId, checkInCount: sum + checkInCount, lastSlug: slug, lastAt });
}
