import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { toHour } from "../../../domain/time.ts";
import {
  decideVolume,
  type IssueHour,
  type ProjectHour,
  type VolumeReason,
} from "../../../domain/volume/decide-volume.ts";
import { findSpikeBound, SPIKE_PAST_HOURS } from "../../../domain/volume/spike-bound.ts";
import type { BatchVolume } from "../../state/batch-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { noteLeftOut } from "./volumes.ts";

/** Ledger categories that volume settings limit. */
const BOUNDED = JSON.stringify(["error", "security"]);

export interface CountedOccurrence {
  occurrence: IssueOccurrence;
  issueId: number;
  isTransition: boolean;
  /** The number of events of the issue that the batch has counted so far. */
  batchEvents: number;
}

/** Decides which events are not stored, and why, after the issues have counted them. Within a write transaction. */
export function applyVolume(
  db: SqliteConnection,
  { settings }: Pick<BatchVolume, "settings">,
  counted: readonly CountedOccurrence[],
): Map<IssueOccurrence, VolumeReason> {
  const concerned = counted.filter(({ occurrence }) => settings.has(occurrence.projectId));
  const projectHours = new Map<string, ProjectHour>();
  const issueHours = new Map<string, IssueHour>();
  const before = loadEventCounts(db, concerned);
  const reasons = decideVolume(
    {
      settingsOf: (projectId) => settings.get(projectId),
      projectHour: (projectId, hour) =>
        getOrLoad(projectHours, `${projectId} ${hour}`, () =>
          loadProjectHour(db, { projectId, hour }, settings.get(projectId)?.isSpikeProtected === true),
        ),
      issueHour: (issueId, hour) =>
        getOrLoad(issueHours, `${issueId} ${hour}`, () => loadIssueHour(db, { issueId, hour })),
      issueEvents: (issueId) => before.get(issueId) ?? 0,
    },
    concerned.map(({ occurrence: { projectId, receivedAt }, issueId, isTransition }) => ({
      projectId,
      hour: toHour(receivedAt),
      issueId,
      isTransition,
    })),
  );
  for (const [key, hour] of projectHours) saveProjectHour(db, key, hour);
  for (const [key, hour] of issueHours) saveIssueHour(db, key, hour);
  const leftOut = new Map<IssueOccurrence, VolumeReason>();
  concerned.forEach(({ occurrence }, at) => {
    const reason = reasons[at] ?? null;
    if (reason !== null) leftOut.set(occurrence, reason);
  });
  const unstored = concerned.filter(({ occurrence }) => leftOut.has(occurrence));
  noteLeftOut(
    db,
    unstored.map(({ issueId, occurrence: { receivedAt } }) => ({ issueId, receivedAt })),
  );
  return leftOut;
}

/** Forgets hours before that of the instant, within a write transaction. */
export function dropVolumeBefore(db: SqliteConnection, instantMs: number): number {
  const before = { hour: toHour(instantMs) };
  return (
    db.run("DELETE FROM issue_volume WHERE hour < :hour", before).changedRows +
    db.run("DELETE FROM issue_left_out WHERE minute < :hour * 60", before).changedRows +
    db.run("DELETE FROM project_volume WHERE hour < :hour", before).changedRows
  );
}

/** The number of events that each issue had counted before the batch. */
function loadEventCounts(db: SqliteConnection, counted: readonly CountedOccurrence[]): Map<number, number> {
  const batchEvents = new Map(counted.map(({ issueId, batchEvents }) => [issueId, batchEvents]));
  const rows = db.all<{ id: number; eventCount: number }>(
    "SELECT id, event_count AS eventCount FROM issues WHERE id IN (SELECT value FROM json_each(:ids))",
    { ids: JSON.stringify([...batchEvents.keys()]) },
  );
  return new Map(rows.map(({ id, eventCount }) => [id, eventCount - (batchEvents.get(id) ?? 0)]));
}

interface ProjectHourRow {
  bound: number | null;
  usual: number | null;
  arrived: number;
  stored: number;
  spared: number;
}

/** The bound is computed with the first event of the hour, or later if the protection was switched on in between. */
function loadProjectHour(
  db: SqliteConnection,
  at: { projectId: number; hour: number },
  needsBound: boolean,
): ProjectHour {
  const row = db.get<ProjectHourRow>(
    "SELECT bound, usual, arrived, stored, spared FROM project_volume WHERE project_id = :projectId AND hour = :hour",
    at,
  );
  const { bound = null, usual = null, arrived = 0, stored = 0, spared = 0 } = row ?? {};
  const known = bound === null || usual === null ? null : { bound, usual };
  return { spike: known ?? (needsBound ? computeBound(db, at) : null), arrived, stored, spared };
}

function computeBound(db: SqliteConnection, { projectId, hour }: { projectId: number; hour: number }) {
  const project = db.get<{ firstEventAt: number | null }>(
    "SELECT first_event_at AS firstEventAt FROM projects WHERE id = :projectId",
    { projectId },
  );
  const firstEventAt = project?.firstEventAt ?? null;
  if (firstEventAt === null) return null;
  // Names each hour, so that rows of other projects are not read.
  const pastHours = Array.from({ length: SPIKE_PAST_HOURS }, (_, ago) => hour - 1 - ago);
  const rows = db.all<{ quantity: number }>(
    `SELECT sum(quantity) AS quantity FROM outcomes
     WHERE hour IN (SELECT value FROM json_each(:hours)) AND project_id = :projectId AND outcome = 'accepted'
       AND category IN (SELECT value FROM json_each(:bounded))
     GROUP BY hour`,
    { projectId, hours: JSON.stringify(pastHours), bounded: BOUNDED },
  );
  return findSpikeBound(
    rows.map(({ quantity }) => quantity),
    hour - toHour(firstEventAt),
  );
}

function loadIssueHour(db: SqliteConnection, at: { issueId: number; hour: number }): IssueHour {
  const row = db.get<IssueHour>(
    "SELECT arrived, left_out AS leftOut FROM issue_volume WHERE issue_id = :issueId AND hour = :hour",
    at,
  );
  return { arrived: row?.arrived ?? 0, leftOut: row?.leftOut ?? 0 };
}

function saveProjectHour(db: SqliteConnection, key: string, { spike, arrived, stored, spared }: ProjectHour): void {
  const [projectId, hour] = key.split(" ").map(Number);
  db.run(
    `INSERT INTO project_volume (project_id, hour, bound, usual, arrived, stored, spared)
     VALUES (:projectId, :hour, :bound, :usual, :arrived, :stored, :spared)
     ON CONFLICT DO UPDATE SET bound = excluded.bound, usual = excluded.usual, arrived = excluded.arrived,
       stored = excluded.stored, spared = excluded.spared`,
    {
      projectId: projectId ?? 0,
      hour: hour ?? 0,
      bound: spike?.bound ?? null,
      usual: spike?.usual ?? null,
      arrived,
      stored,
      spared,
    },
  );
}

function saveIssueHour(db: SqliteConnection, key: string, { arrived, leftOut }: IssueHour): void {
  const [issueId, hour] = key.split(" ").map(Number);
  db.run(
    `INSERT INTO issue_volume (issue_id, hour, arrived, left_out) VALUES (:issueId, :hour, :arrived, :leftOut)
     ON CONFLICT DO UPDATE SET arrived = excluded.arrived, left_out = excluded.left_out`,
    { issueId: issueId ?? 0, hour: hour ?? 0, arrived, leftOut },
  );
}

function getOrLoad<Value>(map: Map<string, Value>, key: string, load: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const loaded = load();
  map.set(key, loaded);
  return loaded;
}
