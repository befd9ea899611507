import type { EventMoveRow } from "../events/error-events.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { noteStalePlaces } from "./event-tags.ts";
import type { IdentityIndex } from "./identity-index.ts";

/**
 * Gives events another issue and title, in one transaction. Skips events that are not stored. Their order stays the same. `onCommit` is
 * called before anyone can read the new rows together with cached facts about the old ones.
 */
export async function moveEvents(
  { database, index, onCommit }: { database: DuckdbDatabase; index: IdentityIndex; onCommit: () => void },
  moves: readonly EventMoveRow[],
): Promise<number> {
  if (moves.length === 0) return 0;
  return database.transaction(async (connection) => {
    const movesByRange = new Map<string, { from: number; to: number; moves: EventMoveRow[] }>();
    for (const move of moves) {
      for (const { from, to } of index.rangesOf(move.eventId)) {
        const known = movesByRange.get(`${from}`);
        if (known) known.moves.push(move);
        else movesByRange.set(`${from}`, { from, to, moves: [move] });
      }
    }
    const moved: number[] = [];
    for (const range of movesByRange.values()) {
      const rows = await readRows(connection, UPDATE, [range.from, range.to, toJson(range.moves)]);
      for (const { ordinal } of rows) moved.push(Number(ordinal));
    }
    if (moved.length > 0)
      await noteStalePlaces(connection, "SELECT unnest(string_split($1, ','))::BIGINT", [moved.join(",")]);
    return { result: moved.length, onCommit };
  });
}

/** $1 and $2: the range of ordinals. $3: the moves as JSON. */
const UPDATE = `
  UPDATE events SET issue_id = move.issue_id, title = move.title
  FROM (
    SELECT (move ->> 'eventId')::UUID AS event_id, (move ->> 'projectId')::BIGINT AS project_id,
           (move ->> 'issueId')::BIGINT AS issue_id, move ->> 'title' AS title
    FROM (SELECT unnest(from_json($3::JSON, '["JSON"]')) AS move)
  ) AS move
  WHERE events.ordinal >= $1 AND events.ordinal < $2
    AND events.event_id = move.event_id AND events.project_id = move.project_id
  RETURNING events.ordinal::DOUBLE AS ordinal`;

/** One move for each event. The last of several counts. */
function toJson(moves: readonly EventMoveRow[]): string {
  const byEvent = new Map(moves.map((move) => [`${move.projectId}:${move.eventId}`, move]));
  // DuckDB refuses half of a surrogate pair, and NUL, in JSON.
  const toText = (title: string) => title.toWellFormed().replaceAll("\0", "\uFFFD");
  return JSON.stringify(Array.from(byEvent.values(), (move) => ({ ...move, title: toText(move.title) })));
}
