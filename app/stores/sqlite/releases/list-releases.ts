import type { Release } from "../../../domain/release.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import {
  encodeReleaseCursor,
  parseReleaseCursor,
  type ReleaseCursor,
  type ReleasePlace,
} from "../../state/release-cursor.ts";
import type { ReleaseStore } from "../../state/release-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { readReleases } from "./read-releases.ts";
import { RELEASE_IN_SCOPE } from "./release-order.ts";

const MAX_PAGE_SIZE = 100;

type ReleaseQuery = Parameters<ReleaseStore["listReleases"]>[1];

const ORDER = {
  date: { index: "releases_by_date", columns: ["r.ordered_at", "r.id"], place: "(:placeAt, :placeId)" },
  semver: {
    index: "releases_by_version",
    columns: ["r.sort_key", "r.ordered_at", "r.id"],
    place: "(:placeKey, :placeAt, :placeId)",
  },
} satisfies Record<ReleaseQuery["sort"], object>;

export function listReleases(
  db: SqliteConnection,
  scope: Scope,
  query: ReleaseQuery,
): { releases: Release[]; nextCursor: string | null; previousCursor: string | null } {
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MAX_PAGE_SIZE);
  const page = takePage(db, scope, query, parseReleaseCursor(query.cursor, query.sort), limit);
  const first = page.places[0];
  const last = page.places.at(-1);
  const ids = page.places.map((place) => place.id);
  return {
    releases: readReleases(db, scope, ids),
    previousCursor:
      first && page.hasBefore ? encodeReleaseCursor(query.sort, { direction: "before", place: first }) : null,
    nextCursor: last && page.hasAfter ? encodeReleaseCursor(query.sort, { direction: "after", place: last }) : null,
  };
}

function takePage(
  db: SqliteConnection,
  scope: Scope,
  query: ReleaseQuery,
  cursor: ReleaseCursor | null,
  limit: number,
): { places: ReleasePlace[]; hasBefore: boolean; hasAfter: boolean } {
  if (cursor?.direction === "before") {
    const places = findPlaces(db, scope, query, cursor, limit + 1).reverse();
    const hasBefore = places.length > limit;
    if (hasBefore) places.shift();
    const last = places.at(-1);
    if (last) {
      return {
        places,
        hasBefore,
        hasAfter: findPlaces(db, scope, query, { direction: "after", place: last }, 1).length > 0,
      };
    }
  }
  const after = cursor?.direction === "after" ? cursor : null;
  const places = findPlaces(db, scope, query, after, limit + 1);
  const hasAfter = places.length > limit;
  if (hasAfter) places.pop();
  const first = places[0];
  // The releases on that side of the cursor are gone: return the first page instead of an empty one.
  if (first === undefined && after !== null) return takePage(db, scope, query, null, limit);
  const hasBefore =
    after !== null &&
    first !== undefined &&
    findPlaces(db, scope, query, { direction: "before", place: first }, 1).length > 0;
  return { places, hasBefore, hasAfter };
}

/** The places after a place, largest first, or before it, smallest first. */
function findPlaces(
  db: SqliteConnection,
  scope: Scope,
  query: ReleaseQuery,
  cursor: ReleaseCursor | null,
  count: number,
): ReleasePlace[] {
  const { index, columns, place } = ORDER[query.sort];
  const conditions = [RELEASE_IN_SCOPE];
  const params: Record<string, string | number> = { count, projectIds: JSON.stringify(scope.projectIds) };
  if (cursor !== null) {
    conditions.push(`(${columns.join(", ")}) ${cursor.direction === "after" ? "<" : ">"} ${place}`);
    params.placeKey = cursor.place.sortKey;
    params.placeAt = cursor.place.orderedAt;
    params.placeId = cursor.place.id;
  }
  if (query.status !== undefined) {
    conditions.push("r.status = :status");
    params.status = query.status;
  }
  if (query.text !== undefined && query.text !== "") {
    conditions.push("instr(r.search_text, :text) > 0");
    params.text = query.text.toLowerCase();
  }
  const direction = cursor?.direction === "before" ? "ASC" : "DESC";
  return db.all<ReleasePlace>(
    `SELECT ${asFields("r.id, r.sort_key, r.ordered_at")} FROM releases AS r INDEXED BY ${index}
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${columns.map((column) => `${column} ${direction}`).join(", ")}
     LIMIT :count`,
    params,
  );
}
