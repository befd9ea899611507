import type { OrderedRelease } from "../../domain/releases/release-order.ts";
import type { ReleaseStore } from "./release-store.ts";

type Sort = Parameters<ReleaseStore["listReleases"]>[1]["sort"];

/** A place between releases. */
export type ReleasePlace = Pick<OrderedRelease, "id" | "sortKey" | "orderedAt">;

export interface ReleaseCursor {
  direction: "after" | "before";
  place: ReleasePlace;
}

const CURSOR = /^(date|semver)\.(after|before)\.(-?\d{1,15})\.(\d{1,15})\.([0-9A-Za-z!-]*)$/;

export function encodeReleaseCursor(sort: Sort, { direction, place }: ReleaseCursor): string {
  return `${sort}.${direction}.${place.orderedAt}.${place.id}.${place.sortKey}`;
}

/** Null: the text is not a cursor of this order. The list then begins at its start. */
export function parseReleaseCursor(text: string | null, sort: Sort): ReleaseCursor | null {
  const [, kind, direction, orderedAt, id, sortKey] = CURSOR.exec(text ?? "") ?? [];
  if (kind !== sort || sortKey === undefined) return null;
  return {
    direction: direction === "before" ? "before" : "after",
    place: { id: Number(id), orderedAt: Number(orderedAt), sortKey },
  };
}
