import { encodeNamedCursor, type NamedPlace, parseNamedCursor } from "../state/named-cursor.ts";

const MAX_PAGE_SIZE = 100;

/**
 * One page of a list that is sorted by name. Names are not unique, so ids break ties.
 *
 * @param find returns the rows on one side of a place (null: from the start), nearest first. If the row of the place is gone, it returns
 * none.
 */
export function takeNamedPage<Row extends { id: number }>(
  { cursor, limit }: { cursor: string | null; limit: number },
  find: (place: NamedPlace | null, count: number) => Row[],
): { rows: Row[]; nextCursor: string | null; previousCursor: string | null } {
  const size = Math.min(Math.max(Math.trunc(limit), 1), MAX_PAGE_SIZE);
  const place = parseNamedCursor(cursor);
  const isBackwards = place?.direction === "before";
  let rows = find(place, size + 1);
  // The rows on that side are gone: return the first page instead of an empty one.
  if (rows.length === 0 && place !== null) return takeNamedPage({ cursor: null, limit }, find);
  const hasMore = rows.length > size;
  rows = rows.slice(0, size);
  if (isBackwards) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasBefore =
    first !== undefined &&
    (isBackwards ? hasMore : place !== null && find({ direction: "before", id: first.id }, 1).length > 0);
  const hasAfter =
    last !== undefined && (isBackwards ? find({ direction: "after", id: last.id }, 1).length > 0 : hasMore);
  return {
    rows,
    nextCursor: hasAfter ? encodeNamedCursor({ direction: "after", id: last.id }) : null,
    previousCursor: hasBefore ? encodeNamedCursor({ direction: "before", id: first.id }) : null,
  };
}

/** SQL for `WHERE` and `ORDER BY` in `find`, which sorts `table` by `column`. Takes `:placeId`. */
export function toNamedPlaceSql(
  place: NamedPlace | null,
  { table, alias, column }: { table: string; alias: string; column: string },
): { condition: string; order: string; params: Record<string, number> } {
  const isBackwards = place?.direction === "before";
  const direction = isBackwards ? "DESC" : "ASC";
  return {
    condition:
      place === null
        ? "1"
        : `(${alias}.${column}, ${alias}.id) ${isBackwards ? "<" : ">"} (SELECT ${column}, id FROM ${table} WHERE id = :placeId)`,
    order: `${alias}.${column} ${direction}, ${alias}.id ${direction}`,
    params: place === null ? {} : { placeId: place.id },
  };
}
