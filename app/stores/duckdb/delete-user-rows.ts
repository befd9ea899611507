import type { EventDeletion, ItemPlace, ScannedItem, SelectedSession } from "../events/event-deletion.ts";
import { toSessionKey } from "../events/row-keys.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { toEventId } from "./event-rows.ts";
import { SCANNED_ITEM, toScannedItem } from "./scan-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";

export async function listItemsOf(
  database: DuckdbDatabase,
  owners: Parameters<EventDeletion["listItemsOf"]>[0],
  upTo: number,
): Promise<ScannedItem[]> {
  if (owners.length === 0) return [];
  const json = JSON.stringify(owners.map(({ projectId, eventId }) => ({ projectId, eventId })));
  return database.write(async (connection) => {
    const rows = await readRows(
      connection,
      `SELECT ${SCANNED_ITEM}
       FROM items JOIN (
         SELECT DISTINCT (key ->> 'eventId') AS event_id, (key ->> 'projectId')::BIGINT AS project_id
         FROM (SELECT unnest(from_json($1::JSON, '["JSON"]')) AS key)
       ) AS owner
         ON items.event_id_hash = md5_number_lower(owner.event_id) AND items.event_id = owner.event_id
        AND items.project_id = owner.project_id
       WHERE items.received_at <= $2`,
      [json, Math.floor(upTo)],
    );
    return rows.map(toScannedItem);
  });
}

const PLACES = `
  SELECT (place ->> 'projectId')::BIGINT AS project_id, (place ->> 'sequence')::BIGINT AS sequence,
         (place ->> 'itemIndex')::INTEGER AS item_index, (place ->> 'receivedAt')::BIGINT AS received_at
  FROM (SELECT unnest(from_json($1::JSON, '["JSON"]')) AS place)`;

export async function deleteItems(
  database: DuckdbDatabase,
  items: readonly ItemPlace[],
  onCommit: () => void,
): Promise<void> {
  if (items.length === 0) return;
  const json = JSON.stringify(
    items.map(({ projectId, sequence, itemIndex, receivedAt }) => ({ projectId, sequence, itemIndex, receivedAt })),
  );
  await database.transaction(async (connection) => {
    await connection.run(
      `DELETE FROM items USING (${PLACES}) AS gone
       WHERE items.sequence = gone.sequence AND items.item_index = gone.item_index
         AND items.project_id = gone.project_id AND items.received_at = gone.received_at`,
      [json],
    );
    return { result: undefined, onCommit };
  });
}

/** A row of sessions that an SDK counted together is one item of many users. It stays accepted when one of the users is deleted. */
export async function listSessions(
  database: DuckdbDatabase,
  { projectIds, userId, upTo }: { projectIds: readonly number[]; userId: string; upTo: number },
  limit: number,
): Promise<SelectedSession[]> {
  if (projectIds.length === 0) return [];
  const conditions = new SqlConditions()
    .addProjects(projectIds)
    .addEqual("user_id", userId)
    .addRange("received_at", null, upTo + 1);
  return database.write(async (connection) => {
    const rows = await readRows(
      connection,
      `SELECT project_id::DOUBLE AS project_id, sequence::DOUBLE AS sequence, received_at::DOUBLE AS received_at,
              identity::VARCHAR AS identity, session_id IS NOT NULL AS is_item
       FROM sessions WHERE ${conditions} LIMIT ${Math.trunc(limit)}`,
      conditions.values,
    );
    return rows.map((row): SelectedSession => {
      const [sequence, receivedAt] = [Number(row.sequence), Number(row.received_at)];
      return {
        projectId: Number(row.project_id),
        key: toSessionKey({ sequence, receivedAt, userId }),
        identity: row.identity === null ? null : toEventId(row.identity),
        category: "session",
        quantity: row.is_item === true ? 1 : 0,
        receivedAt,
        sequence,
      };
    });
  });
}

export async function deleteSessions(
  database: DuckdbDatabase,
  { userId, rows }: Parameters<EventDeletion["deleteSessions"]>[0],
  onCommit: () => void,
): Promise<void> {
  if (rows.length === 0) return;
  const json = JSON.stringify(
    rows.map(({ projectId, sequence, receivedAt }) => ({ projectId, sequence, itemIndex: 0, receivedAt })),
  );
  await database.transaction(async (connection) => {
    await connection.run(
      `DELETE FROM sessions USING (${PLACES}) AS gone
       WHERE sessions.user_id = $2::UUID AND sessions.sequence = gone.sequence
         AND sessions.project_id = gone.project_id AND sessions.received_at = gone.received_at`,
      [json, userId],
    );
    return { result: undefined, onCommit };
  });
}

export async function findLeft(
  database: DuckdbDatabase,
  { projectId, issueIds, userKeys }: Parameters<EventDeletion["findLeft"]>[0],
): Promise<{ events: number; userKeys: string[] }> {
  if (issueIds.length === 0) return { events: 0, userKeys: [] };
  return database.write(async (connection) => {
    const conditions = new SqlConditions().addEqual("project_id", projectId).addOneOf("issue_id", issueIds);
    const [counted] = await readRows(
      connection,
      `SELECT count(*)::DOUBLE AS events FROM events WHERE ${conditions}`,
      conditions.values,
    );
    const events = Number(counted?.events ?? 0);
    if (events === 0 || userKeys.length === 0) return { events, userKeys: [] };
    conditions.addOneOf("user_key", userKeys);
    const rows = await readRows(
      connection,
      `SELECT DISTINCT user_key FROM events WHERE ${conditions}`,
      conditions.values,
    );
    return { events, userKeys: rows.map((row) => String(row.user_key)) };
  });
}
