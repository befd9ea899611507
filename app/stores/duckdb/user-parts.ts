import type { EventDeletion, RowsOfUser, SelectedPart } from "../events/event-deletion.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import { PART_TABLES, type PartTable } from "../events/row-keys.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { deleteLongTexts } from "./long-texts.ts";
import type { DuckdbMovedDays } from "./moved-days.ts";
import { columnsOfPart, toPart } from "./part-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** SQL of the text of one attribute; NULL without it. It reads both forms that `toPlainAttribute` writes. */
function attribute(name: string): string {
  const path = (field: string) => `TRY(json_extract_string(attributes, '$."${name}"${field}'))`;
  return `CASE WHEN contains(attributes, '"${name}"') THEN coalesce(${path(".value")}, ${path("")}) END`;
}

/**
 * Conditions for rows of spans and logs that name a user in their attributes. By address, they also match rows that came from the address
 * and name none.
 */
export function toConditionsOfUser({ projectIds, user, upTo }: RowsOfUser): SqlConditions {
  const conditions = new SqlConditions().addProjects(projectIds).addRange("received_at", null, upTo + 1);
  const values = user.values.map((value) => conditions.bind(value)).join(", ");
  if (user.field === "id") return conditions.add(`user_id IN (${values})`);
  if (user.field === "email") return conditions.add(`lower(${attribute("user.email")}) IN (${values})`);
  const [named, client] = [attribute("user.ip_address"), attribute("client.address")];
  const senders = user.values.map((value) => conditions.bind(`"clientAddress":${JSON.stringify(value)}`));
  const isFrom = senders.map((sender) => `contains(resource, ${sender})`).join(" OR ");
  return conditions.add(
    `(${named} IN (${values}) OR ${client} IN (${values}) OR (${named} IS NULL AND ${client} IS NULL AND (${isFrom})))`,
  );
}

export async function listParts(
  database: DuckdbDatabase,
  table: PartTable,
  rows: RowsOfUser,
  limit: number,
): Promise<SelectedPart[]> {
  if (rows.projectIds.length === 0) return [];
  const conditions = toConditionsOfUser(rows);
  return database.write(async (connection) => {
    const found = await readRows(
      connection,
      `SELECT ${columnsOfPart(table)} FROM ${database.sourceOf(table)} AS ${table} WHERE ${conditions} LIMIT ${Math.trunc(limit)}`,
      conditions.values,
    );
    return found.map((row) => toPart(table, row));
  });
}

const PLACES = `
  SELECT DISTINCT (place ->> 'projectId')::BIGINT AS project_id, (place ->> 'sequence')::BIGINT AS sequence,
         (place ->> 'receivedAt')::BIGINT AS received_at, (place ->> 'atUs')::BIGINT AS at_us
  FROM (SELECT unnest(from_json($1::JSON, '["JSON"]')) AS place)`;

export async function listSpansOf(
  database: DuckdbDatabase,
  transactions: Parameters<EventDeletion["listSpansOf"]>[0],
): Promise<SelectedPart[]> {
  if (transactions.length === 0) return [];
  const json = JSON.stringify(
    transactions.map(({ projectId, sequence, receivedAt }) => ({ projectId, sequence, receivedAt })),
  );
  return database.write(async (connection) => {
    const found = await readRows(
      connection,
      `SELECT ${columnsOfPart("spans")} FROM ${database.sourceOf("spans")} AS spans JOIN (${PLACES}) AS owner
         ON spans.sequence = owner.sequence AND spans.project_id = owner.project_id
        AND spans.received_at = owner.received_at
       WHERE spans.category = 'transaction'`,
      [json],
    );
    return found.map((row) => toPart("spans", row));
  });
}

export async function deleteParts(
  { database, movedDays }: { database: DuckdbDatabase; movedDays: DuckdbMovedDays },
  parts: readonly SelectedPart[],
  onCommit: () => void,
): Promise<void> {
  await database.transaction(async (connection) => {
    for (const [table, column] of Object.entries(PART_TABLES) as Array<[PartTable, string]>) {
      const ofTable = parts.filter((part) => part.table === table);
      if (ofTable.length === 0) continue;
      const json = JSON.stringify(
        ofTable.map(({ projectId, sequence, receivedAt, atUs }) => ({ projectId, sequence, receivedAt, atUs })),
      );
      const isGone = `(sequence, ${column}, project_id, received_at) IN (SELECT sequence, at_us, project_id, received_at FROM (${PLACES}))`;
      await deleteLongTexts(connection, table === "spans" ? SPAN_ROWS : LOG_ROWS, isGone, [json]);
      await connection.run(
        `DELETE FROM ${table} USING (${PLACES}) AS gone
         WHERE ${table}.sequence = gone.sequence AND ${table}.${column} = gone.at_us
           AND ${table}.project_id = gone.project_id AND ${table}.received_at = gone.received_at`,
        [json],
      );
      await movedDays.hide(connection, table, isGone, [json]);
    }
    return { result: undefined, onCommit };
  });
}
