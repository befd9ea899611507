import type { RowKey } from "../../stores/events/event-log.ts";
import { PART_TABLES, type PartTable, toItemKey, toPartKey, toSessionKey } from "../../stores/events/row-keys.ts";
import {
  type LoggedTable,
  readLoggedMoves,
  readLoggedTables,
  withoutLoggedMoves,
  withoutLoggedRows,
} from "../../stores/events/row-log.ts";
import { readIds, readNumbers, readTexts } from "../../stores/events/rows.ts";
import type { ErasedAppend } from "../../stores/payload-store.ts";

/** Returns which of these events are deleted, as `${projectId}:${identity}`. */
export type FindDeleted = (keys: readonly RowKey[]) => Promise<ReadonlySet<string>>;

/** Deleted data: events with what belongs to them, single items, and whole projects. */
export interface Deleted {
  findDeleted: FindDeleted;
  projectIds: ReadonlySet<number>;
}

/** Removes the rows of deleted data from an entry of the row log. Null: the entry has none. */
export async function eraseFromEntry(
  entry: Uint8Array,
  { findDeleted, projectIds }: Deleted,
): Promise<ErasedAppend | null> {
  const moves = readLoggedMoves(entry);
  if (moves.length > 0) {
    const deleted = await findDeleted(moves.map(({ projectId, eventId }) => ({ projectId, identity: eventId })));
    const isGone = (move: { projectId: number; eventId: string }) =>
      projectIds.has(move.projectId) || deleted.has(`${move.projectId}:${move.eventId}`);
    if (!moves.some(isGone)) return null;
    return { places: new Set(), entry: withoutLoggedMoves(entry, isGone) };
  }
  const tables = readLoggedTables(entry);
  const keysOf = tables.map(readDeletionKeys);
  const deleted = await findDeleted(keysOf.flat(2));
  const projectsOf = tables.map(({ rows }) => readProjectIds(rows));
  const isOfProject = (table: number, row: number) => projectIds.has(projectsOf[table]?.[row] ?? -1);
  const hasProject = projectsOf.some((ids, table) => ids.some((_, row) => isOfProject(table, row)));
  if (deleted.size === 0 && !hasProject) return null;
  const isGone = (table: number, row: number) => {
    return isOfProject(table, row) || isDeleted(keysOf[table]?.[row], deleted);
  };
  const places = new Set<number>();
  const refs: NonNullable<ErasedAppend["refs"]>[number][] = [];
  let hasRefs = false;
  for (const [at, { rows, places: placeOf }] of tables.entries()) {
    for (const [row, place] of placeOf.entries()) if (place >= 0 && isGone(at, row)) places.add(place);
    if (rows.columns.payload_offset === undefined) continue;
    hasRefs = true;
    const offsets = readNumbers(rows, "payload_offset");
    const indexes = readNumbers(rows, "payload_index");
    for (const [row, offset] of offsets.entries())
      if (isGone(at, row)) refs.push({ offset, index: indexes[row] as number });
  }
  return { places, ...(hasRefs && { refs }), entry: withoutLoggedRows(entry, isGone) };
}

export function readProjectIds(rows: LoggedTable["rows"]): number[] {
  return rows.columns.project_id === undefined ? [] : [...readNumbers(rows, "project_id")];
}

export function isDeleted(keys: readonly RowKey[] | undefined, deleted: ReadonlySet<string>): boolean {
  return keys?.some(({ projectId, identity }) => deleted.has(`${projectId}:${identity}`)) === true;
}

/** The keys by which each row may be noted as deleted: the key of its event, and its own key if it can be deleted alone. */
export function readDeletionKeys({ rows }: Pick<LoggedTable, "rows">): RowKey[][] {
  const { columns, table, count } = rows;
  const keys: RowKey[][] = Array.from({ length: count }, () => []);
  if (columns.project_id === undefined) return keys;
  const projectIds = readNumbers(rows, "project_id");
  const add = (row: number, identity: string | null | undefined) => {
    if (identity) keys[row]?.push({ projectId: projectIds[row] as number, identity });
  };
  if (columns.event_id !== undefined) {
    // Events have an id. Items have a text that names their event.
    const eventIds: Array<string | null> = table === "events" ? readIds(rows, "event_id") : readTexts(rows, "event_id");
    for (const [row, eventId] of eventIds.entries()) add(row, eventId);
  }
  if (table === "events" || columns.sequence === undefined || columns.received_at === undefined) return keys;
  const [sequences, instants] = [readNumbers(rows, "sequence"), readNumbers(rows, "received_at")];
  if (columns.item_index !== undefined) {
    const indexes = readNumbers(rows, "item_index");
    for (let row = 0; row < count; row++)
      add(
        row,
        toItemKey({
          sequence: sequences[row] as number,
          itemIndex: indexes[row] as number,
          receivedAt: instants[row] as number,
        }),
      );
  }
  const timeColumn = isPartTable(table) ? PART_TABLES[table] : undefined;
  if (isPartTable(table) && timeColumn !== undefined && columns[timeColumn] !== undefined) {
    for (const [row, atUs] of readNumbers(rows, timeColumn).entries())
      add(row, toPartKey({ table, sequence: sequences[row] as number, receivedAt: instants[row] as number, atUs }));
  }
  if (table === "sessions" && columns.user_id !== undefined) {
    for (const [row, userId] of readIds(rows, "user_id").entries())
      if (userId)
        add(row, toSessionKey({ sequence: sequences[row] as number, receivedAt: instants[row] as number, userId }));
  }
  return keys;
}

function isPartTable(table: string): table is PartTable {
  return Object.hasOwn(PART_TABLES, table);
}
