const CURSOR = /^(after|before)\.(\d{1,15})$/;

/** A place in a list by names: after or before the row with this id. */
export interface NamedPlace {
  direction: "after" | "before";
  id: number;
}

export function encodeNamedCursor({ direction, id }: NamedPlace): string {
  return `${direction}.${id}`;
}

/** Null: the text is not a cursor. The list then begins at its start. */
export function parseNamedCursor(cursor: string | null): NamedPlace | null {
  const [, direction, id] = CURSOR.exec(cursor ?? "") ?? [];
  if (id === undefined) return null;
  return { direction: direction === "before" ? "before" : "after", id: Number(id) };
}
