import { LONGEST_PAUSE_MS, MESSAGE_PAUSE_MS } from "../../../domain/notification.ts";
import { includesProject } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import {
  type ChannelState,
  type ClaimedDelivery,
  type Delivery,
  type DeliveryStore,
  type DeliveryTarget,
  MAX_DEAD_DELIVERIES,
} from "../../state/delivery-store.ts";
import { FAILING_ATTEMPTS } from "../../state/undelivered-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addNews, forwardUndelivered, TARGET } from "./add-news.ts";
import { passOutbox } from "./outbox.ts";
import { IS_HELD, listQuiet } from "./quiet-hours.ts";

const MAX_ANSWER_LENGTH = 500;
const COLUMNS = asFields("id, key, project_id, channel, address, items, more, attempts, created_at");

type DeliveryRow = RowOf<Omit<Delivery, "target">, { items: string; more: string }> & DeliveryTarget;
type ChannelRow = Omit<ChannelState, "target"> & DeliveryTarget;

/** Takes `:scoped`, a JSON array. */
const IN_SCOPE = "project_id IN (SELECT value FROM json_each(:scoped))";

export function createDeliveryStore(db: SqliteConnection): DeliveryStore {
  return {
    enqueue: ({ reader, position, news, now, createKey }) =>
      db.write(() => {
        const passed = db.get<{ position: number }>("SELECT position FROM outbox_readers WHERE reader = :reader", {
          reader,
        });
        if (passed !== undefined && passed.position >= position) return;
        for (const { target, items } of news) addNews(db, { target, items, now, createKey });
        passOutbox(db, reader, position);
      }),
    claim: async ({ retryAt, ...wanted }) => {
      // A read first, because it does not wait for writers: usually no delivery is due.
      if (findDue(db, wanted) === undefined) return null;
      return await db.write(() => {
        const row = findDue(db, wanted);
        if (row === undefined) return null;
        const attempts = row.attempts + 1;
        db.run(
          "UPDATE deliveries SET attempts = :attempts, next_attempt_at = :retryAt, is_claimed = 1 WHERE id = :id",
          { id: row.id, attempts, retryAt: retryAt(attempts) },
        );
        return toDelivery({ ...row, attempts });
      });
    },
    confirm: ({ id, target }, { at, answer, nextMessageAt }) =>
      db.write(() => {
        db.run("DELETE FROM deliveries WHERE id = :id", { id });
        noteAnswer(db, target, { at, isOk: true, answer });
        holdBack(db, target, nextMessageAt);
      }),
    fail: ({ id, target }, { at, failure, retryAt, nextMessageAt, forwardKey }) =>
      db.write(() => {
        noteAnswer(db, target, { at, isOk: false, answer: failure });
        db.run(
          `UPDATE deliveries SET is_claimed = 0, failure = :failure, next_attempt_at = ifnull(:retryAt, next_attempt_at),
             died_at = CASE WHEN :retryAt IS NULL THEN :at END
           WHERE id = :id`,
          { id, at, retryAt, failure: failure.slice(0, MAX_ANSWER_LENGTH) },
        );
        if (forwardKey !== undefined)
          forwardUndelivered(db, {
            id,
            target,
            failure: failure.slice(0, MAX_ANSWER_LENGTH),
            now: at,
            createKey: forwardKey,
          });
        if (retryAt !== null) return;
        holdBack(db, target, nextMessageAt);
        db.run(
          `DELETE FROM deliveries WHERE id IN (
             SELECT id FROM deliveries WHERE project_id = :projectId AND died_at IS NOT NULL
             ORDER BY died_at DESC, id DESC LIMIT -1 OFFSET ${MAX_DEAD_DELIVERIES})`,
          { projectId: target.projectId },
        );
      }),
    discard: ({ id }) =>
      db.write(() => {
        db.run("DELETE FROM deliveries WHERE id = :id", { id });
      }),
    noteTest: async (scope, target, result) => {
      if (target.projectId === 0 || includesProject(scope, target.projectId))
        await db.write(() => noteAnswer(db, target, result));
    },
    listChannels: async (scope, projectId) => (includesProject(scope, projectId) ? listChannels(db, projectId) : []),
    listDead: async (scope, projectId) =>
      db
        .all<DeliveryRow & { diedAt: number; failure: string }>(
          `SELECT ${COLUMNS}, died_at AS diedAt, failure FROM deliveries WHERE project_id = :projectId AND died_at IS NOT NULL AND dropped_at IS NULL AND channel NOT IN ('person', 'push') AND ${IN_SCOPE}
           ORDER BY died_at DESC, id DESC LIMIT ${MAX_DEAD_DELIVERIES}`,
          { projectId, scoped: JSON.stringify(scope.projectIds) },
        )
        .map(({ diedAt, failure, ...row }) => {
          const { key: _, ...delivery } = toDelivery(row);
          return { ...delivery, diedAt, failure };
        }),
    keepTargets: (scope, projectId, targets, now) =>
      db.write(() => {
        if (!includesProject(scope, projectId)) return;
        const kept = JSON.stringify(targets.map(({ channel, address }) => `${channel} ${address}`));
        const isOther =
          "channel NOT IN ('person', 'push') AND channel || ' ' || address NOT IN (SELECT value FROM json_each(:kept))";
        // Messages of alert rules do not depend on the settings of the project.
        const isOfSettings = "NOT EXISTS (SELECT 1 FROM json_each(items) WHERE value ->> 'rule' IS NOT NULL)";
        db.run(
          `DELETE FROM deliveries WHERE project_id = :projectId AND died_at IS NULL AND ${isOther} AND ${isOfSettings}`,
          { projectId, kept },
        );
        db.run(`DELETE FROM delivery_channels WHERE project_id = :projectId AND ${isOther}`, { projectId, kept });
        db.run(
          `UPDATE deliveries SET next_attempt_at = :now
           WHERE project_id = :projectId AND died_at IS NULL AND is_claimed = 0 AND channel NOT IN ('person', 'push')`,
          { projectId, now },
        );
      }),
    countDeliveries: async () => {
      const counts = db.get<{ waiting: number; failing: number; dead: number }>(
        `SELECT count(*) FILTER (WHERE died_at IS NULL) AS waiting,
           count(*) FILTER (WHERE died_at IS NULL AND failure IS NOT NULL AND attempts >= ${FAILING_ATTEMPTS}) AS failing,
           count(*) FILTER (WHERE died_at IS NOT NULL AND dropped_at IS NULL) AS dead
         FROM deliveries`,
      );
      return counts ?? { waiting: 0, failing: 0, dead: 0 };
    },
  };
}

/**
 * A condition on `deliveries AS d`; takes `:now` and `:longestWait`. A message that was never tried need not wait, and no pause is longer
 * than the longest one: a message that seems to wait longer was written while the clock was ahead.
 */
const IS_DUE = `(d.next_attempt_at <= :now
  OR d.next_attempt_at > :now AND (d.attempts = 0 OR d.next_attempt_at > :now + :longestWait))`;

/** The oldest waiting message of a target that may have a message now, and of a person without quiet hours now. */
function findDue(
  db: SqliteConnection,
  { now, lane, butNotTo = [] }: Omit<ClaimedDelivery, "retryAt">,
): DeliveryRow | undefined {
  // Usually nothing is due at all, and quiet hours need not be read.
  const isAnyDue = `SELECT 1 FROM deliveries AS d WHERE died_at IS NULL AND ${IS_DUE} LIMIT 1`;
  const clock = { now, longestWait: LONGEST_PAUSE_MS };
  if (db.get(isAnyDue, clock) === undefined) return undefined;
  const isOfLane =
    lane === undefined
      ? ""
      : `AND d.channel IN (${lane.kinds.map((kind) => `'${kind}'`).join()}) AND d.attempts ${lane.hasFailed ? ">" : "="} 0`;
  return db.get<DeliveryRow>(
    `SELECT ${COLUMNS} FROM deliveries AS d
     WHERE died_at IS NULL AND ${IS_DUE} AND NOT ${IS_HELD} ${isOfLane}
       AND d.address NOT IN (SELECT value FROM json_each(:butNotTo))
       AND NOT EXISTS (SELECT 1 FROM delivery_channels AS c
         WHERE c.project_id = d.project_id AND c.channel = d.channel AND c.address = d.address
           AND c.next_message_at > :now AND c.next_message_at <= :now + :messagePause)
       AND NOT EXISTS (SELECT 1 FROM deliveries AS e
         WHERE e.project_id = d.project_id AND e.channel = d.channel AND e.address = d.address
           AND e.died_at IS NULL AND e.id < d.id)
     ORDER BY next_attempt_at, id LIMIT 1`,
    { ...listQuiet(db, now), ...clock, messagePause: MESSAGE_PAUSE_MS, butNotTo: JSON.stringify(butNotTo) },
  );
}

function holdBack(db: SqliteConnection, target: DeliveryTarget, nextMessageAt: number): void {
  db.run(`UPDATE delivery_channels SET next_message_at = :nextMessageAt WHERE ${TARGET}`, { ...target, nextMessageAt });
}

function noteAnswer(
  db: SqliteConnection,
  target: DeliveryTarget,
  { at, isOk, answer }: { at: number; isOk: boolean; answer: string },
): void {
  const [when, what] = isOk ? ["last_delivered_at", "last_answer"] : ["last_failed_at", "last_failure"];
  db.run(
    `INSERT INTO delivery_channels (project_id, channel, address, ${when}, ${what})
     VALUES (:projectId, :channel, :address, :at, :answer)
     ON CONFLICT DO UPDATE SET ${when} = excluded.${when}, ${what} = excluded.${what}`,
    { ...target, at, answer: answer.slice(0, MAX_ANSWER_LENGTH) },
  );
}

function listChannels(db: SqliteConnection, projectId: number): ChannelState[] {
  return db
    .all<ChannelRow>(
      `SELECT ${asFields("project_id, channel, address, last_delivered_at, last_answer, last_failed_at, last_failure")},
         count(d.id) AS waiting, max(min(d.next_attempt_at), ifnull(c.next_message_at, 0)) AS nextAttemptAt
       FROM delivery_channels AS c
       LEFT JOIN (SELECT * FROM deliveries WHERE died_at IS NULL) AS d USING (project_id, channel, address)
       WHERE project_id = :projectId AND channel NOT IN ('person', 'push')
       GROUP BY channel, address ORDER BY channel, address LIMIT 1000`,
      { projectId },
    )
    .map(withTarget);
}

function withTarget<Row extends DeliveryTarget>({ projectId, channel, address, ...row }: Row) {
  return { ...row, target: { projectId, channel, address } };
}

function toDelivery(row: DeliveryRow): Delivery {
  return { ...withTarget(row), items: JSON.parse(row.items), more: JSON.parse(row.more) };
}
