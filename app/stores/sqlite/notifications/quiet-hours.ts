import { findQuietEnd, type QuietHours } from "../../../domain/people/quiet-hours.ts";
import type { NewsCounts, NewsItem } from "../../state/delivery-store.ts";
import type { QuietHoursStore } from "../../state/quiet-hours-store.ts";
import type { SqliteConnection } from "../connection.ts";

const COLUMNS = `from_minute AS "from", to_minute AS "to", days, timezone, lets_high_through AS letsHighThrough`;

type QuietHoursRow = Omit<QuietHours, "days" | "letsHighThrough"> & { days: string; letsHighThrough: 0 | 1 };

/** A condition on `deliveries AS d`: quiet hours hold the message back. Takes `:always` and `:exceptHigh` from `listQuiet`. */
export const IS_HELD = `(d.channel IN ('person', 'push', 'email')
  AND (d.is_high < 2 AND d.channel || ' ' || lower(d.address) IN (SELECT value FROM json_each(:always))
    OR d.is_high = 0 AND d.channel || ' ' || lower(d.address) IN (SELECT value FROM json_each(:exceptHigh))))`;

export function createQuietHoursStore(db: SqliteConnection): QuietHoursStore {
  return {
    getQuietHours: async (userId) => getQuietHours(db, userId),
    saveQuietHours: (userId, hours) =>
      db.write(() => {
        db.run("DELETE FROM quiet_hours WHERE user_id = :userId", { userId });
        if (hours === null) return;
        const { from, to, days, timezone, letsHighThrough } = hours;
        db.run(
          `INSERT INTO quiet_hours (user_id, from_minute, to_minute, days, timezone, lets_high_through)
           VALUES (:userId, :from, :to, :days, :timezone, :letsHighThrough)`,
          { userId, from, to, days: JSON.stringify(days), timezone, letsHighThrough: letsHighThrough ? 1 : 0 },
        );
      }),
    listHeld: async (scope, userId, now) =>
      db.read(() => {
        const own = listQuiet(db, now, userId);
        const rows = db.all<{ projectId: number; items: string; more: string; since: number }>(
          `SELECT project_id AS projectId, items, more, created_at AS since FROM deliveries AS d
           WHERE died_at IS NULL AND next_attempt_at <= :now AND ${IS_HELD}
             AND project_id IN (SELECT value FROM json_each(:scoped))
           ORDER BY project_id, id`,
          { ...own, now, scoped: JSON.stringify(scope.projectIds) },
        );
        const held = new Map<number, { projectId: number; changeCount: number; since: number }>();
        for (const { projectId, since, items, more } of rows) {
          const named: NewsItem[] = JSON.parse(items);
          const counts: NewsCounts = JSON.parse(more);
          const changeCount = named.length + Object.values(counts).reduce((sum, count) => sum + count, 0);
          const known = held.get(projectId);
          held.set(projectId, {
            projectId,
            changeCount: changeCount + (known?.changeCount ?? 0),
            since: Math.min(since, known?.since ?? since),
          });
        }
        return [...held.values()];
      }),
  };
}

function getQuietHours(db: SqliteConnection, userId: number): QuietHours | null {
  const row = db.get<QuietHoursRow>(`SELECT ${COLUMNS} FROM quiet_hours WHERE user_id = :userId`, { userId });
  return row === undefined ? null : toQuietHours(row);
}

/** The people who have quiet hours now, as words for `IS_HELD`: the person, and the person's address and browsers. */
export function listQuiet(
  db: SqliteConnection,
  now: number,
  userId: number | null = null,
): { always: string; exceptHigh: string } {
  const always: string[] = [];
  const exceptHigh: string[] = [];
  const rows = db.all<QuietHoursRow & { id: number; email: string; browsers: string }>(
    `SELECT u.id, lower(u.email) AS email, ${COLUMNS},
       (SELECT json_group_array('push ' || u.id || '/' || s.id) FROM push_subscriptions AS s WHERE s.user_id = u.id) AS browsers
     FROM quiet_hours AS q JOIN users AS u ON u.id = q.user_id
     WHERE :userId IS NULL OR u.id = :userId`,
    { userId },
  );
  for (const { id, email, browsers, ...row } of rows) {
    const hours = toQuietHours(row);
    if (findQuietEnd(hours, now) === null) continue;
    (hours.letsHighThrough ? exceptHigh : always).push(
      `person ${id}`,
      `email ${email}`,
      ...(JSON.parse(browsers) as string[]),
    );
  }
  return { always: JSON.stringify(always), exceptHigh: JSON.stringify(exceptHigh) };
}

function toQuietHours({ from, to, days, timezone, letsHighThrough }: QuietHoursRow): QuietHours {
  return { from, to, days: JSON.parse(days), timezone, letsHighThrough: letsHighThrough === 1 };
}
