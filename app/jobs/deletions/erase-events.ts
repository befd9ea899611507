import type { RowKey } from "../../stores/events/event-log.ts";
import {
  type LoggedTable,
  readLoggedMoves,
  readLoggedTables,
  withoutLoggedMoves,
  withoutLoggedRows,
} from "../../stores/events/row-log.ts";
import { readIds, readNumbers, readTexts } from "../../stores/events/rows.ts";
import type { ErasedAppend } from "../../stores/payload-store.ts";

/** Which of these events are deleted, as `${projectId}:${identity}`. */
export type FindDeleted = (keys: readonly RowKey[]) => Promise<ReadonlySet<string>>;

/** What is deleted: events with what belongs to them, and whole projects. */
export interface Deleted {
  findDeleted: FindDeleted;
  projectIds: ReadonlySet<number>;
}

/** Takes the rows of what is deleted out of an entry of the row log; null: it has none. */
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
  const keysOf = tables.map(readEventKeys);
  const deleted = await findDeleted(keysOf.flatMap((keys) => keys.flatMap((key) => key ?? [])));
  const projectsOf = tables.map(({ rows }) => readProjectIds(rows));
  const isOfProject = (table: number, row: number) => projectIds.has(projectsOf[table]?.[row] ?? -1);
  const hasProject = projectsOf.some((ids, table) => ids.some((_, row) => isOfProject(table, row)));
  if (deleted.size === 0 && !hasProject) return null;
  const isGone = (table: number, row: number) => {
    const key = keysOf[table]?.[row];
    return isOfProject(table, row) || (key != null && deleted.has(`${key.projectId}:${key.identity}`));
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

/** The event that each row is of; null: of none. */
export function readEventKeys({ rows }: Pick<LoggedTable, "rows">): Array<RowKey | null> {
  if (rows.columns.event_id === undefined || rows.columns.project_id === undefined) return Array(rows.count).fill(null);
  const projectIds = readNumbers(rows, "project_id");
  // Events have ids, items have the text that names their event.
  const eventIds: Array<string | null> =
    rows.table === "events" ? readIds(rows, "event_id") : readTexts(rows, "event_id");
  return eventIds.map((identity, row) => (identity ? { projectId: projectIds[row] as number, identity } : null));
}
