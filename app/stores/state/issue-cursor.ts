import type { IssueQuery } from "./issue-store.ts";

/** A place in the list between issues: after or before the one with this sort key and id. Largest come first. */
export interface IssueCursor {
  direction: "after" | "before";
  key: number;
  id: number;
}

const CURSOR = /^(last_seen|first_seen|events|users|priority)\.(after|before)\.(-?\d{1,15})\.(\d{1,15})$/;

export function encodeIssueCursor(sort: IssueQuery["sort"], cursor: IssueCursor): string {
  return `${sort}.${cursor.direction}.${cursor.key}.${cursor.id}`;
}

/** Null: the text is not a cursor of this order. The list then begins at its start. */
export function parseIssueCursor(text: string | null, sort: IssueQuery["sort"]): IssueCursor | null {
  const match = text === null ? null : CURSOR.exec(text);
  if (match === null || match[1] !== sort) return null;
  return { direction: match[2] === "before" ? "before" : "after", key: Number(match[3]), id: Number(match[4]) };
}
