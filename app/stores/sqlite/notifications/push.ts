import {
  DEFAULT_REACH,
  MAX_PUSH_SUBSCRIPTIONS,
  type NewPushSubscription,
  type PushSubscription,
  type Reach,
} from "../../../domain/push/push-subscription.ts";
import { asFields } from "../../sql/columns.ts";
import type { PersonalReach, PushBrowser, PushStore } from "../../state/push-store.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_ANSWER_LENGTH = 500;
type Keys = Awaited<ReturnType<PushStore["getKeys"]>>;

export function createPushStore(db: SqliteConnection): PushStore {
  const readKeys = () => db.get<Keys>(`SELECT ${asFields("public_key, private_key")} FROM push_keys`);
  return {
    getKeys: async (make) =>
      readKeys() ??
      (await db.write(() => {
        const made = make();
        db.run("INSERT OR IGNORE INTO push_keys (id, public_key, private_key) VALUES (1, :publicKey, :privateKey)", {
          publicKey: made.publicKey,
          privateKey: made.privateKey,
        });
        return readKeys() ?? made;
      })),
    listBrowsers: async (userId) =>
      db.all<PushBrowser>(
        `SELECT ${asFields("id, browser, endpoint, created_at, last_delivered_at, last_failed_at, last_failure")}
         FROM push_subscriptions WHERE user_id = :userId ORDER BY id`,
        { userId },
      ),
    getSubscription: async (id) =>
      db.get<PushSubscription>(
        `SELECT ${asFields("id, user_id, endpoint, p256dh, auth, browser, created_at")}
         FROM push_subscriptions WHERE id = :id`,
        { id },
      ) ?? null,
    findByEndpoint: async (endpoint) => findByEndpoint(db, endpoint),
    subscribe: (userId, subscription, at) => db.write(() => subscribe(db, userId, subscription, at)),
    unsubscribe: (userId, id) => db.write(() => unsubscribe(db, userId, id)),
    noteResult: (id, { at, isOk, answer }) =>
      db.write(() => {
        db.run(
          isOk
            ? "UPDATE push_subscriptions SET last_delivered_at = :at WHERE id = :id"
            : "UPDATE push_subscriptions SET last_failed_at = :at, last_failure = :answer WHERE id = :id",
          { id, at, ...(!isOk && { answer: answer.slice(0, MAX_ANSWER_LENGTH) }) },
        );
      }),
    getReach: async (userId) => {
      const row = db.get<{ reach: string }>("SELECT reach FROM personal_reach WHERE user_id = :userId", { userId });
      return row === undefined ? DEFAULT_REACH : toReach(row.reach);
    },
    saveReach: (userId, reach) =>
      db.write(() => {
        db.run(
          `INSERT INTO personal_reach (user_id, reach) VALUES (:userId, :reach)
           ON CONFLICT DO UPDATE SET reach = excluded.reach`,
          { userId, reach: JSON.stringify(reach) },
        );
      }),
    listReach: async () =>
      db.read(() => {
        const reached = new Map<number, PersonalReach>();
        for (const { userId, reach } of db.all<{ userId: number; reach: string }>(
          "SELECT user_id AS userId, reach FROM personal_reach",
        ))
          reached.set(userId, { reach: toReach(reach), browserIds: [] });
        for (const { userId, ids } of db.all<{ userId: number; ids: string }>(
          "SELECT user_id AS userId, json_group_array(id ORDER BY id) AS ids FROM push_subscriptions GROUP BY user_id",
        ))
          reached.set(userId, { reach: reached.get(userId)?.reach ?? DEFAULT_REACH, browserIds: JSON.parse(ids) });
        return reached;
      }),
  };
}

/** Choices that did not exist when the person chose have their defaults. */
function toReach(json: string): Reach {
  return { ...DEFAULT_REACH, ...(JSON.parse(json) as Partial<Reach>) };
}

function subscribe(
  db: SqliteConnection,
  userId: number,
  { endpoint, p256dh, auth, browser }: NewPushSubscription,
  at: number,
): number | null {
  const known = findByEndpoint(db, endpoint);
  if (known?.userId === userId) {
    db.run("UPDATE push_subscriptions SET p256dh = :p256dh, auth = :auth, browser = :browser WHERE id = :id", {
      id: known.id,
      p256dh,
      auth,
      browser,
    });
    return known.id;
  }
  const { count } = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM push_subscriptions WHERE user_id = :userId",
    { userId },
  ) ?? { count: 0 };
  if (count >= MAX_PUSH_SUBSCRIPTIONS) return null;
  // Another person uses this browser now, and must not read messages for the one before.
  if (known !== null) unsubscribe(db, known.userId, known.id);
  return db.run(
    `INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth, browser, created_at)
     VALUES (:userId, :endpoint, :p256dh, :auth, :browser, :at)`,
    { userId, endpoint, p256dh, auth, browser, at },
  ).insertedId;
}

function findByEndpoint(db: SqliteConnection, endpoint: string): { id: number; userId: number } | null {
  const sql = "SELECT id, user_id AS userId FROM push_subscriptions WHERE endpoint = :endpoint";
  return db.get<{ id: number; userId: number }>(sql, { endpoint }) ?? null;
}

/** Within a write transaction. */
function unsubscribe(db: SqliteConnection, userId: number | null, id: number): boolean {
  const sql = "DELETE FROM push_subscriptions WHERE id = :id AND (:userId IS NULL OR user_id = :userId)";
  if (db.run(sql, { id, userId }).changedRows === 0) return false;
  for (const table of ["deliveries", "delivery_channels"])
    db.run(`DELETE FROM ${table} WHERE channel = 'push' AND address LIKE :ending`, { ending: `%/${id}` });
  return true;
}

/** Removes the user's subscriptions that were added at the instant or later. Within a write transaction. */
export function removePushSubscriptions(db: SqliteConnection, userId: number, addedSince = 0): void {
  const sql = "SELECT id FROM push_subscriptions WHERE user_id = :userId AND created_at >= :addedSince";
  for (const { id } of db.all<{ id: number }>(sql, { userId, addedSince })) unsubscribe(db, userId, id);
}
