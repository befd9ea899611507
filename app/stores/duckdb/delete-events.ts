import type { EventDeletion, EventSelection, SelectedEvent } from "../events/event-deletion.ts";
import { countOfUser } from "./count-of-user.ts";
import { deleteItems, deleteSessions, findLeft, listItemsOf, listSessions } from "./delete-user-rows.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import { forgetTagsOfEvents } from "./event-tags.ts";
import { LONG_TEXTS } from "./long-texts.ts";
import type { DuckdbMovedDays } from "./moved-days.ts";
import { deleteSumsOfProject } from "./roll-up.ts";
import { countRows, SELECTED_EVENT, scanEvents, scanItems, toSelectedEvent } from "./scan-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { deleteParts, listParts, listSpansOf } from "./user-parts.ts";

/**
 * `onCommit` is called before anyone can read with cached facts about the rows. `onDelete` is also called if summed rows are deleted. In
 * the database file, deleted rows take space until a checkpoint, and their bytes stay until they are overwritten.
 */
export function createEventDeletion(
  { database, movedDays }: { database: DuckdbDatabase; movedDays: DuckdbMovedDays },
  { onCommit, onDelete }: { onCommit: () => void; onDelete: () => void },
): EventDeletion {
  const onSummedGone = () => {
    onDelete();
    onCommit();
  };
  return {
    listSelected: (selection, limit) => listSelected(database, selection, limit),
    async deleteEvents(events) {
      if (events.length === 0) return;
      const json = JSON.stringify(events.map(({ projectId, eventId }) => ({ projectId, eventId })));
      await database.transaction(async (connection) => {
        await forgetTagsOfEvents(connection, ORDINALS, [json]);
        await connection.run(DELETE_EVENTS, [json]);
        await connection.run(DELETE_ITEMS, [json]);
        return { result: undefined, onCommit: onSummedGone };
      });
    },
    async deleteProject(projectId) {
      const deleted = await database.transaction(async (connection) => {
        let rows = 0;
        for (const { shape } of DUCKDB_TABLES)
          rows += (await connection.run(`DELETE FROM ${shape.name} WHERE project_id = $1`, [projectId])).rowsChanged;
        for (const table of ["environments", LONG_TEXTS.name])
          await connection.run(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
        await deleteSumsOfProject(connection, projectId);
        rows += await movedDays.hideProject(connection, projectId);
        return { result: rows, onCommit: onSummedGone };
      });
      return deleted;
    },
    countRows: (scan) => countRows(database, scan),
    countOfUser: (user) => countOfUser(database, user),
    scanEvents: (scan) => scanEvents(database, scan),
    scanItems: (scan) => scanItems(database, scan),
    listItemsOf: (owners, upTo) => listItemsOf(database, owners, upTo),
    deleteItems: (items) => deleteItems(database, items, onCommit),
    listSessions: (sessions, limit) => listSessions(database, sessions, limit),
    deleteSessions: (sessions) => deleteSessions(database, sessions, onCommit),
    listParts: (table, rows, limit) => listParts(database, table, rows, limit),
    listSpansOf: (transactions) => listSpansOf(database, transactions),
    deleteParts: (parts) => deleteParts({ database, movedDays }, parts, onSummedGone),
    findLeft: (issue) => findLeft(database, issue),
  };
}

const KEYS = `
  SELECT (key ->> 'eventId') AS event_id, (key ->> 'projectId')::BIGINT AS project_id
  FROM (SELECT unnest(from_json($1::JSON, '["JSON"]')) AS key)`;

const ORDINALS = `
  SELECT ordinal FROM events JOIN (${KEYS}) AS gone
    ON events.event_id = gone.event_id::UUID AND events.project_id = gone.project_id`;

const DELETE_EVENTS = `
  DELETE FROM events USING (${KEYS}) AS gone
  WHERE events.event_id = gone.event_id::UUID AND events.project_id = gone.project_id`;

/** Looks the rows up by their hash. */
const DELETE_ITEMS = `
  DELETE FROM items USING (${KEYS}) AS gone
  WHERE items.event_id_hash = md5_number_lower(gone.event_id) AND items.event_id = gone.event_id
    AND items.project_id = gone.project_id`;

async function listSelected(
  database: DuckdbDatabase,
  selection: EventSelection,
  limit: number,
): Promise<SelectedEvent[]> {
  const conditions = toConditions(selection);
  if (conditions === null) return [];
  // A write, because it must see the rows of the transaction before it.
  return database.write(async (connection) => {
    const rows = await readRows(
      connection,
      `SELECT ${SELECTED_EVENT} FROM events WHERE ${conditions} LIMIT ${Math.trunc(limit)}`,
      conditions.values,
    );
    const events = rows.map(toSelectedEvent);
    if (events.length === 0) return events;
    const byKey = new Map(events.map((event) => [`${event.projectId}:${event.eventId}`, event]));
    const items = await readRows(
      connection,
      `SELECT items.project_id::DOUBLE AS project_id, items.event_id AS event_id, items.category AS category,
              items.quantity::DOUBLE AS quantity, items.received_at::DOUBLE AS received_at
       FROM items JOIN (${KEYS}) AS gone
         ON items.event_id_hash = md5_number_lower(gone.event_id) AND items.event_id = gone.event_id
        AND items.project_id = gone.project_id`,
      [JSON.stringify(events.map(({ projectId, eventId }) => ({ projectId, eventId })))],
    );
    for (const row of items) {
      byKey.get(`${Number(row.project_id)}:${String(row.event_id)}`)?.items.push({
        category: String(row.category),
        quantity: Number(row.quantity),
        receivedAt: Number(row.received_at),
      });
    }
    return events;
  });
}

/** Null: the selection is empty. */
function toConditions(selection: EventSelection): SqlConditions | null {
  const conditions = new SqlConditions();
  if (selection.kind === "users") {
    const { projectIds, userKeys, ignoresCase, upTo } = selection;
    if (projectIds.length === 0 || userKeys.length === 0) return null;
    return conditions
      .addProjects(projectIds)
      .addOneOf(ignoresCase ? "lower(user_key)" : "user_key", userKeys)
      .addRange("received_at", null, upTo + 1);
  }
  conditions.addEqual("project_id", selection.projectId);
  const [column, ids] =
    selection.kind === "issues" ? ["issue_id", selection.issueIds] : ["event_id", selection.eventIds];
  return ids.length === 0 ? null : conditions.addOneOf(String(column), ids as readonly (number | string)[]);
}
