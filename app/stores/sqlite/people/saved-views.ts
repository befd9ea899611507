import { MAX_VIEWS, type SavedView, type ViewedList } from "../../../domain/saved-view.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { NewSavedView, SavedViewStore } from "../../state/saved-view-store.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_LISTED = 500;

/** A condition on `saved_views AS v`: all projects of the view are in the scope. Takes `:scopeIds`. */
const IN_SCOPE =
  "NOT EXISTS (SELECT 1 FROM json_each(v.project_ids) WHERE value NOT IN (SELECT value FROM json_each(:scopeIds)))";

const toScopeIds = ({ projectIds }: Scope) => JSON.stringify(projectIds);

type ViewRow = Omit<SavedView, "isShared" | "isOwn" | "isDefault"> & Record<"isShared" | "isOwn" | "isDefault", 0 | 1>;

export function listViews(db: SqliteConnection, scope: Scope, userId: number): SavedView[] {
  const rows = db.all<ViewRow>(
    `SELECT v.id, v.list, v.name, v.query, v.is_shared AS isShared, v.user_id = :userId AS isOwn, u.name AS ownerName,
            d.view_id IS NOT NULL AS isDefault, v.place
     FROM saved_views AS v JOIN users AS u ON u.id = v.user_id
     LEFT JOIN default_views AS d ON d.view_id = v.id AND d.user_id = :userId
     WHERE (v.user_id = :userId OR v.is_shared = 1) AND ${IN_SCOPE}
     ORDER BY isOwn DESC, v.list, CASE WHEN isOwn THEN v.place END, v.name, v.id LIMIT ${MAX_LISTED}`,
    { userId, scopeIds: toScopeIds(scope) },
  );
  return rows.map(({ isShared, isOwn, isDefault, ...view }) => ({
    ...view,
    isShared: isShared === 1,
    isOwn: isOwn === 1,
    isDefault: isDefault === 1,
  }));
}

export function createView(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  { list, name, query, isShared, projectIds, place }: NewSavedView,
): Awaited<ReturnType<SavedViewStore["createView"]>> {
  const known = db.get<{ count: number; next: number }>(
    `SELECT count(*) AS count, coalesce(max(place) FILTER (WHERE list = :list), 0) + 1 AS next
     FROM saved_views WHERE user_id = :userId`,
    { userId, list },
  );
  if ((known?.count ?? 0) >= MAX_VIEWS) return { ok: false, reason: "too-many" };
  if (hasName(db, { userId, list, name, viewId: 0 })) return { ok: false, reason: "name-taken" };
  const row = db.get<{ id: number }>(
    `INSERT INTO saved_views (user_id, list, name, query, is_shared, project_ids, place)
     VALUES (:userId, :list, :name, :query, :isShared, :projectIds, :place) RETURNING id`,
    {
      userId,
      list,
      name,
      query,
      isShared: isShared ? 1 : 0,
      projectIds: JSON.stringify(scope.projectIds.filter((id) => projectIds.includes(id))),
      place: place ?? known?.next ?? 1,
    },
  );
  if (row === undefined) throw new Error("the database gave no row for the view that was inserted");
  return { ok: true, id: row.id };
}

export function changeView(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  viewId: number,
  { name, isShared }: Partial<Pick<SavedView, "name" | "isShared">>,
): "changed" | "not-found" | "name-taken" {
  const view = findOwn(db, scope, userId, viewId);
  if (!view) return "not-found";
  if (name !== undefined && hasName(db, { userId, list: view.list, name, viewId })) return "name-taken";
  db.run(
    "UPDATE saved_views SET name = coalesce(:name, name), is_shared = coalesce(:isShared, is_shared) WHERE id = :viewId",
    { viewId, name: name ?? null, isShared: isShared === undefined ? null : isShared ? 1 : 0 },
  );
  // For readers who no longer see the view, it must not be the default of the list.
  db.run(
    `DELETE FROM default_views WHERE view_id = :viewId AND user_id <> :userId
     AND (SELECT is_shared FROM saved_views WHERE id = :viewId) = 0`,
    { viewId, userId },
  );
  return "changed";
}

export function moveView(db: SqliteConnection, scope: Scope, userId: number, viewId: number, by: -1 | 1): boolean {
  const view = findOwn(db, scope, userId, viewId);
  if (!view) return false;
  // Places may be equal after a deleted view was restored, so all of them are numbered again.
  const ids = db
    .all<{ id: number }>(
      "SELECT id FROM saved_views WHERE user_id = :userId AND list = :list ORDER BY place, name, id",
      {
        userId,
        list: view.list,
      },
    )
    .map(({ id }) => id);
  const from = ids.indexOf(viewId);
  const other = ids[from + by];
  if (other === undefined) return false;
  ids[from] = other;
  ids[from + by] = viewId;
  for (const [index, id] of ids.entries())
    db.run("UPDATE saved_views SET place = :place WHERE id = :id", { id, place: index + 1 });
  return true;
}

export function deleteView(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  viewId: number,
): { defaultOf: number[] } | null {
  if (!findOwn(db, scope, userId, viewId)) return null;
  const others = db.all<{ userId: number }>(
    "DELETE FROM default_views WHERE view_id = :viewId RETURNING user_id AS userId",
    { viewId },
  );
  db.run("DELETE FROM saved_views WHERE id = :viewId", { viewId });
  return { defaultOf: others.map((other) => other.userId).filter((id) => id !== userId) };
}

export function restoreDefaults(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  viewId: number,
  defaultOf: readonly number[],
): void {
  const view = findOwn(db, scope, userId, viewId);
  if (!view) return;
  db.run(
    `INSERT INTO default_views (user_id, list, view_id)
     SELECT u.id, v.list, v.id FROM saved_views AS v JOIN users AS u ON u.id IN (SELECT value FROM json_each(:defaultOf))
     WHERE v.id = :viewId AND v.is_shared = 1
     ON CONFLICT (user_id, list) DO NOTHING`,
    { viewId, defaultOf: JSON.stringify(defaultOf) },
  );
}

export function setDefaultView(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  list: ViewedList,
  viewId: number | null,
): boolean {
  if (viewId === null) {
    db.run("DELETE FROM default_views WHERE user_id = :userId AND list = :list", { userId, list });
    return true;
  }
  const view = db.get(
    `SELECT 1 FROM saved_views AS v
     WHERE v.id = :viewId AND v.list = :list AND (v.user_id = :userId OR v.is_shared = 1) AND ${IN_SCOPE}`,
    { viewId, list, userId, scopeIds: toScopeIds(scope) },
  );
  if (view === undefined) return false;
  db.run(
    `INSERT INTO default_views (user_id, list, view_id) VALUES (:userId, :list, :viewId)
     ON CONFLICT (user_id, list) DO UPDATE SET view_id = excluded.view_id`,
    { userId, list, viewId },
  );
  return true;
}

function findOwn(db: SqliteConnection, scope: Scope, userId: number, viewId: number): { list: ViewedList } | undefined {
  return db.get(`SELECT v.list FROM saved_views AS v WHERE v.id = :viewId AND v.user_id = :userId AND ${IN_SCOPE}`, {
    viewId,
    userId,
    scopeIds: toScopeIds(scope),
  });
}

function hasName(
  db: SqliteConnection,
  view: { userId: number; list: ViewedList; name: string; viewId: number },
): boolean {
  const row = db.get(
    "SELECT 1 FROM saved_views WHERE user_id = :userId AND list = :list AND name = :name AND id <> :viewId",
    view,
  );
  return row !== undefined;
}
