import { maskAddress } from "../../../domain/audit/audit-changes.ts";
import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { ChannelResults } from "../../../domain/channels/channel.ts";
import { type ChannelWithSecrets, MAX_CHANNELS } from "../../../domain/channels/channel.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { ChannelStore, ListedChannel, NewChannel, SaveChannelResult } from "../../state/channel-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

type Row = RowOf<
  Omit<ChannelWithSecrets, "projectIds">,
  { settings: string; secrets: string; servesAll: number; projects: string }
>;

const SQL = `SELECT ${asFields("c.id, c.kind, c.name, c.settings, c.secrets, c.serves_all, c.created_at")},
  (SELECT json_group_array(project_id) FROM channel_projects AS p WHERE p.channel_id = c.id) AS projects FROM channels AS c`;

export function createChannelStore(db: SqliteConnection): ChannelStore {
  return {
    listChannels: async (scope) => db.read(() => listChannels(db, scope)),
    getChannel: async (scope, channelId) => db.read(() => findChannel(db, scope, channelId)),
    createChannel: (scope, channel) => db.write(() => createChannel(db, scope, channel)),
    changeChannel: (scope, change) => db.write(() => changeChannel(db, scope, change)),
    deleteChannel: (scope, channelId) => db.write(() => deleteChannel(db, scope, channelId)),
  };
}

/** Null: there is no such channel, or it serves no project of the scope. */
function findChannel(db: SqliteConnection, scope: Scope, channelId: number): ChannelWithSecrets | null {
  const row = db.get<Row>(`${SQL} WHERE c.id = :channelId`, { channelId });
  const channel = row && toChannel(row);
  return channel && isInScope(scope, channel) ? channel : null;
}

function isInScope(scope: Scope, { projectIds }: Pick<ChannelWithSecrets, "projectIds">): boolean {
  return projectIds === null || projectIds.some((id) => includesProject(scope, id));
}

function listChannels(db: SqliteConnection, scope: Scope): ListedChannel[] {
  const results = readResults(db, scope);
  return db
    .all<Row>(`${SQL} ORDER BY name_key(c.name), c.id LIMIT ${MAX_CHANNELS}`)
    .map(toChannel)
    .filter((channel) => isInScope(scope, channel))
    .map((channel) => ({ ...channel, ...(results.get(channel.id) ?? NO_RESULTS) }));
}

const NO_RESULTS: ChannelResults = {
  lastDeliveredAt: null,
  lastAnswer: null,
  lastFailedAt: null,
  lastFailure: null,
  waiting: 0,
  nextAttemptAt: null,
};

/** SQL of the channel's id in an address. The id may be followed by a place (`channel-place.ts`). */
const CHANNEL_ID = "CAST(address AS INTEGER)";

type ResultRow = Omit<ChannelResults, "waiting" | "nextAttemptAt"> & { channelId: number };

/** By channel id, the newest result of each kind: of messages about projects of the scope, and of tests of the channel. */
function readResults(db: SqliteConnection, scope: Scope): Map<number, ChannelResults> {
  const scoped = JSON.stringify([0, ...scope.projectIds]);
  const results = new Map<number, ChannelResults>();
  const rows = db.all<ResultRow>(
    `SELECT ${CHANNEL_ID} AS channelId, ${asFields("last_delivered_at, last_answer, last_failed_at, last_failure")}
     FROM delivery_channels WHERE channel = 'channel' AND project_id IN (SELECT value FROM json_each(:scoped))`,
    { scoped },
  );
  for (const { channelId, ...row } of rows) {
    const known = results.get(channelId) ?? NO_RESULTS;
    results.set(channelId, {
      ...known,
      ...((row.lastDeliveredAt ?? 0) > (known.lastDeliveredAt ?? 0) && {
        lastDeliveredAt: row.lastDeliveredAt,
        lastAnswer: row.lastAnswer,
      }),
      ...((row.lastFailedAt ?? 0) > (known.lastFailedAt ?? 0) && {
        lastFailedAt: row.lastFailedAt,
        lastFailure: row.lastFailure,
      }),
    });
  }
  const waiting = db.all<{ channelId: number; waiting: number; nextAttemptAt: number }>(
    `SELECT ${CHANNEL_ID} AS channelId, count(*) AS waiting, min(max(next_attempt_at, ifnull(c.next_message_at, 0))) AS nextAttemptAt
     FROM deliveries LEFT JOIN delivery_channels AS c USING (project_id, channel, address)
     WHERE channel = 'channel' AND died_at IS NULL AND project_id IN (SELECT value FROM json_each(:scoped)) GROUP BY 1`,
    { scoped },
  );
  for (const { channelId, ...row } of waiting)
    results.set(channelId, { ...(results.get(channelId) ?? NO_RESULTS), ...row });
  return results;
}

function createChannel(db: SqliteConnection, scope: Scope, channel: NewChannel): SaveChannelResult {
  const count = db.get<{ count: number }>("SELECT count(*) AS count FROM channels")?.count ?? 0;
  if (count >= MAX_CHANNELS) return { ok: false, reason: "full" };
  if (isNameTaken(db, channel.name, 0)) return { ok: false, reason: "name-taken" };
  const { insertedId } = db.run(
    `INSERT INTO channels (kind, name, settings, secrets, serves_all, created_at)
     VALUES (:kind, :name, :settings, :secrets, :servesAll, :at)`,
    {
      kind: channel.kind,
      name: channel.name,
      settings: JSON.stringify(channel.settings),
      secrets: JSON.stringify(channel.secrets),
      servesAll: channel.projectIds === null ? 1 : 0,
      at: channel.at,
    },
  );
  setProjects(db, insertedId, channel.projectIds ?? []);
  const made = findChannel(db, scope, insertedId);
  if (made === null) throw new Error("a channel was made outside of the scope");
  db.note({ action: "channel.create", target: toTarget(made), after: toFields(db, made) });
  return { ok: true, channel: made };
}

function changeChannel(
  db: SqliteConnection,
  scope: Scope,
  { channelId, at, ...change }: Parameters<ChannelStore["changeChannel"]>[1],
): SaveChannelResult {
  const before = findChannel(db, scope, channelId);
  if (before === null) return { ok: false, reason: "gone" };
  const after: ChannelWithSecrets = { ...before, ...change };
  if (isNameTaken(db, after.name, channelId)) return { ok: false, reason: "name-taken" };
  const beforeFields = toFields(db, before);
  db.run(
    "UPDATE channels SET name = :name, settings = :settings, secrets = :secrets, serves_all = :servesAll WHERE id = :channelId",
    {
      channelId,
      name: after.name,
      settings: JSON.stringify(after.settings),
      secrets: JSON.stringify(after.secrets),
      servesAll: after.projectIds === null ? 1 : 0,
    },
  );
  setProjects(db, channelId, after.projectIds ?? []);
  // A fallback channel must serve all projects.
  if (after.projectIds !== null) db.run("UPDATE channels SET is_fallback = 0 WHERE id = :channelId", { channelId });
  if (after.projectIds !== null) leaveProjects(db, channelId, after.projectIds);
  db.run(
    `UPDATE deliveries SET next_attempt_at = :at
     WHERE channel = 'channel' AND ${CHANNEL_ID} = :channelId AND died_at IS NULL AND is_claimed = 0`,
    { channelId, at },
  );
  db.note({
    action: "channel.edit",
    target: toTarget(after),
    before: beforeFields,
    after: toFields(db, after, before),
  });
  return { ok: true, channel: after };
}

function deleteChannel(db: SqliteConnection, scope: Scope, channelId: number): boolean {
  const before = findChannel(db, scope, channelId);
  if (before === null) return false;
  const fields = toFields(db, before);
  db.run("DELETE FROM channels WHERE id = :channelId", { channelId });
  leaveProjects(db, channelId, []);
  db.note({ action: "channel.delete", target: toTarget(before), before: fields });
  return true;
}

function isNameTaken(db: SqliteConnection, name: string, channelId: number): boolean {
  const sql = "SELECT 1 FROM channels WHERE name = :name COLLATE NOCASE AND id <> :channelId";
  return db.get(sql, { name, channelId }) !== undefined;
}

function setProjects(db: SqliteConnection, channelId: number, projectIds: readonly number[]): void {
  db.run("DELETE FROM channel_projects WHERE channel_id = :channelId", { channelId });
  db.run(
    `INSERT INTO channel_projects (channel_id, project_id)
     SELECT :channelId, id FROM projects WHERE id IN (SELECT value FROM json_each(:projectIds))`,
    { channelId, projectIds: JSON.stringify(projectIds) },
  );
}

/** Removes the channel from other projects, with their waiting messages. */
function leaveProjects(db: SqliteConnection, channelId: number, kept: readonly number[]): void {
  const values = { kept: JSON.stringify(kept) };
  const isOther = "project_id NOT IN (SELECT value FROM json_each(:kept))";
  db.run(`DELETE FROM notification_channels WHERE channel_id = :channelId AND ${isOther}`, { ...values, channelId });
  const ofChannel = `channel = 'channel' AND ${CHANNEL_ID} = :channelId AND ${isOther}`;
  const ofTarget = { ...values, channelId };
  db.run(`DELETE FROM deliveries WHERE ${ofChannel}`, ofTarget);
  db.run(`DELETE FROM delivery_channels WHERE ${ofChannel} AND (project_id <> 0 OR :kept = '[]')`, ofTarget);
}

function toTarget({ id, name }: ChannelWithSecrets) {
  return { kind: "channel", id, name };
}

/** The fields of a channel in the audit log. For secrets, it has only whether they are set, and whether they changed. */
function toFields(db: SqliteConnection, channel: ChannelWithSecrets, before?: ChannelWithSecrets): AuditFields {
  const { kind, name, settings, secrets, projectIds } = channel;
  const hidden = Object.entries(secrets).map(([field, value]) => {
    const isNew = before !== undefined && before.secrets[field] !== value;
    return [field, `${field === "url" ? maskAddress(value) : "•••"}${isNew ? " (another one)" : ""}`];
  });
  const projects = projectIds === null ? "all" : nameProjects(db, projectIds);
  return { kind, name, projects, ...settings, ...Object.fromEntries(hidden) };
}

function toChannel({ settings, secrets, servesAll, projects, ...row }: Row): ChannelWithSecrets {
  const projectIds: number[] = JSON.parse(projects);
  return {
    ...row,
    settings: JSON.parse(settings),
    secrets: JSON.parse(secrets),
    projectIds: servesAll === 1 ? null : projectIds.sort((a, b) => a - b),
  };
}
