import type { Scope } from "../../../domain/scope.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { DeliveryTarget } from "../../state/delivery-store.ts";
import {
  FAILING_ATTEMPTS,
  MAX_UNDELIVERED,
  type Undelivered,
  type UndeliveredFilter,
  type UndeliveredStore,
} from "../../state/undelivered-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { nameTarget } from "./add-news.ts";

/** How long dropped messages can be restored. */
const DROPPED_KEPT_MS = HOUR_MS;

const COLUMNS = asFields(
  "id, project_id, channel, address, items, more, attempts, created_at, next_attempt_at, died_at, failure",
);
/** Takes `:scoped` and `:ids`, JSON arrays, and `:withPeople`. */
const ASKED = `(project_id IN (SELECT value FROM json_each(:scoped)) OR project_id = 0) AND (:withPeople = 1 OR channel NOT IN ('person', 'push'))
  AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))`;
const DEAD = "died_at IS NOT NULL AND dropped_at IS NULL";
const FAILING = `died_at IS NULL AND failure IS NOT NULL AND attempts >= ${FAILING_ATTEMPTS}`;

type Row = RowOf<Omit<Undelivered, "target" | "name">, { items: string; more: string }> & DeliveryTarget;

export function createUndeliveredStore(db: SqliteConnection): UndeliveredStore {
  return {
    list: async (scope, filter) =>
      db.read(() =>
        db
          .all<Row>(
            `SELECT ${COLUMNS} FROM deliveries WHERE ${ASKED} AND ((${DEAD}) OR (${FAILING}))
             ORDER BY died_at IS NOT NULL, died_at DESC, id DESC LIMIT ${MAX_UNDELIVERED}`,
            toValues(scope, filter),
          )
          .map(({ projectId, channel, address, items, more, ...row }) => ({
            ...row,
            target: { projectId, channel, address },
            name: nameTarget(db, { channel, address }),
            items: JSON.parse(items),
            more: JSON.parse(more),
          })),
      ),
    count: async (scope, filter) =>
      db.get<{ failing: number; dead: number }>(
        `SELECT count(*) FILTER (WHERE ${FAILING}) AS failing, count(*) FILTER (WHERE ${DEAD}) AS dead
         FROM deliveries WHERE ${ASKED}`,
        toValues(scope, filter),
      ) ?? { failing: 0, dead: 0 },
    retry: (scope, { now, ...filter }) =>
      db.write(
        () =>
          db.run(
            `UPDATE deliveries SET died_at = NULL, attempts = CASE WHEN died_at IS NULL THEN attempts ELSE 0 END,
               next_attempt_at = :now
             WHERE ${ASKED} AND ((${DEAD}) OR (${FAILING} AND is_claimed = 0))`,
            { ...toValues(scope, filter), now },
          ).changedRows,
      ),
    drop: (scope, { now, ...filter }) =>
      db.write(() => {
        db.run("DELETE FROM deliveries WHERE dropped_at < :before", { before: now - DROPPED_KEPT_MS });
        const values = toValues(scope, filter);
        const ids = db.all<{ id: number }>(`SELECT id FROM deliveries WHERE ${ASKED} AND ${DEAD}`, values);
        db.run(`UPDATE deliveries SET dropped_at = :now WHERE ${ASKED} AND ${DEAD}`, { ...values, now });
        return ids.map(({ id }) => id);
      }),
    restore: (scope, filter) =>
      db.write(
        () =>
          db.run(
            `UPDATE deliveries SET dropped_at = NULL WHERE ${ASKED} AND dropped_at IS NOT NULL`,
            toValues(scope, filter),
          ).changedRows,
      ),
    getFallback: async () => findFallback(db),
    setFallback: (_, channelId) => db.write(() => setFallback(db, channelId)),
  };
}

function toValues(scope: Scope, { withPeople, ids }: UndeliveredFilter) {
  return {
    scoped: JSON.stringify(scope.projectIds),
    withPeople: withPeople ? 1 : 0,
    ids: ids === undefined ? null : JSON.stringify(ids),
  };
}

function findFallback(db: SqliteConnection): { id: number; name: string } | null {
  return db.get<{ id: number; name: string }>("SELECT id, name FROM channels WHERE is_fallback = 1") ?? null;
}

function setFallback(db: SqliteConnection, channelId: number | null): boolean {
  const before = findFallback(db);
  if (before?.id === (channelId ?? undefined)) return true;
  const sql = "SELECT id, name FROM channels WHERE id = :channelId AND serves_all = 1";
  const after = channelId === null ? null : (db.get<{ id: number; name: string }>(sql, { channelId }) ?? null);
  if (channelId !== null && after === null) return false;
  db.run("UPDATE channels SET is_fallback = 0 WHERE is_fallback = 1");
  if (after !== null) db.run("UPDATE channels SET is_fallback = 1 WHERE id = :id", { id: after.id });
  const shown = after ?? before;
  if (shown !== null)
    db.note({
      action: "channel.fallback",
      target: { kind: "channel", id: shown.id, name: shown.name },
      before: { fallback: before?.name ?? null },
      after: { fallback: after?.name ?? null },
    });
  return true;
}
