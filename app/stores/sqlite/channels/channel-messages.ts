import { FOLLOWED_CHANGES, type IssueChange } from "../../../domain/channels/issue-change.ts";
import { LONGEST_PAUSE_MS } from "../../../domain/notification.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import {
  type ChannelMessage,
  type ChannelMessageStore,
  type DueFollowUp,
  FOLLOWED_DAYS,
  MAX_CHANNEL_MESSAGES,
} from "../../state/channel-message-store.ts";
import type { SqliteConnection } from "../connection.ts";

type Row = RowOf<ChannelMessage, { items: string; more: string }> & { toldActivity: number; attempts: number };

const COLUMNS = asFields("id, channel_id, place, project_id, ref, key, items, more, sent_at, told_activity, attempts");
/** The most changes in one message. Further ones come with the next message. */
const MAX_CHANGES = 200;

export function createChannelMessageStore(db: SqliteConnection): ChannelMessageStore {
  return {
    remember: (message) => db.write(() => remember(db, message)),
    isRemembered: async (channelId, key) => isRemembered(db, channelId, key),
    claimFollowUp: async ({ now, retryAt, butNotOf = [] }) => {
      // A read first, because it does not wait for writers: usually nothing has changed.
      if (findDue(db, now, butNotOf) === undefined) return null;
      return await db.write(() => {
        const row = findDue(db, now, butNotOf);
        if (row === undefined) return null;
        const attempts = row.attempts + 1;
        const next = retryAt(attempts);
        db.run("UPDATE channel_messages SET attempts = :attempts, due_at = :next WHERE id = :id", {
          id: row.id,
          attempts,
          next,
        });
        return toDue(db, { ...row, attempts }, next);
      });
    },
    finish: ({ message: { id }, upTo: { activity, retryAt } }) =>
      db.write(() => {
        db.run(
          `UPDATE channel_messages SET told_activity = max(told_activity, :activity), attempts = 0,
             due_at = CASE WHEN due_at = :retryAt THEN NULL ELSE due_at END
           WHERE id = :id`,
          { id, activity, retryAt },
        );
      }),
    fail: ({ message: { id }, upTo }, { retryAt }) =>
      db.write(() => {
        db.run(
          `UPDATE channel_messages SET due_at = CASE WHEN due_at = :claimed THEN :retryAt ELSE due_at END,
             attempts = CASE WHEN :retryAt IS NULL THEN 0 ELSE attempts END
           WHERE id = :id`,
          { id, claimed: upTo.retryAt, retryAt },
        );
      }),
  };
}

/** Makes the messages that name an issue due, within the write transaction of a change of the issue. */
export function noteIssueChange(db: SqliteConnection, issueId: number, at: number): void {
  db.run(
    `UPDATE channel_messages SET due_at = :at, attempts = 0
     WHERE id IN (SELECT message_id FROM channel_message_issues WHERE issue_id = :issueId)`,
    { issueId, at: Math.floor(at) },
  );
}

function remember(db: SqliteConnection, { items, more, ...message }: Omit<ChannelMessage, "id">): void {
  const { channelId, key } = message;
  const channel = db.get("SELECT 1 FROM channels WHERE id = :channelId", { channelId });
  if (channel === undefined || isRemembered(db, channelId, key)) return;
  const newest = db.get<{ id: number | null }>("SELECT max(id) AS id FROM issue_activity")?.id ?? 0;
  const { insertedId } = db.run(
    `INSERT INTO channel_messages (channel_id, place, project_id, ref, key, items, more, sent_at, told_activity)
     VALUES (:channelId, :place, :projectId, :ref, :key, :items, :more, :sentAt, :newest)`,
    { ...message, items: JSON.stringify(items), more: JSON.stringify(more), newest },
  );
  for (const issueId of new Set(items.map((item) => item.issueId)))
    db.run("INSERT INTO channel_message_issues (issue_id, message_id) VALUES (:issueId, :insertedId)", {
      issueId,
      insertedId,
    });
  db.run(
    `DELETE FROM channel_messages WHERE channel_id = :channelId AND (sent_at < :before OR id IN (
       SELECT id FROM channel_messages WHERE channel_id = :channelId ORDER BY sent_at DESC, id DESC LIMIT -1 OFFSET ${MAX_CHANNEL_MESSAGES}))`,
    { channelId, before: message.sentAt - FOLLOWED_DAYS * DAY_MS },
  );
}

function isRemembered(db: SqliteConnection, channelId: number, key: string): boolean {
  const sql = "SELECT 1 FROM channel_messages WHERE channel_id = :channelId AND key = :key";
  return db.get(sql, { channelId, key }) !== undefined;
}

function findDue(db: SqliteConnection, now: number, butNotOf: readonly number[]): Row | undefined {
  // A follow-up that seems due later was never tried, or waits longer than any pause because the clock was ahead.
  return db.get<Row>(
    `SELECT ${COLUMNS} FROM channel_messages
     WHERE (due_at <= :now OR due_at > :now AND (attempts = 0 OR due_at > :now + :longestWait))
       AND channel_id NOT IN (SELECT value FROM json_each(:butNotOf))
     ORDER BY due_at, id LIMIT 1`,
    { now, longestWait: LONGEST_PAUSE_MS, butNotOf: JSON.stringify(butNotOf) },
  );
}

function toDue(db: SqliteConnection, row: Row, retryAt: number): DueFollowUp {
  const { toldActivity, attempts, items, more, ...message } = row;
  const rows = db.all<{ id: number; issueId: number; kind: IssueChange["kind"]; name: string | null; data: string }>(
    `SELECT a.id, a.issue_id AS issueId, a.kind, u.name, a.data
     FROM issue_activity AS a LEFT JOIN users AS u ON u.id = a.user_id
     WHERE a.issue_id IN (SELECT issue_id FROM channel_message_issues WHERE message_id = :id)
       AND a.kind IN (SELECT value FROM json_each(:kinds)) AND (a.at >= :sentAt OR a.id > :toldActivity)
     ORDER BY a.id DESC LIMIT ${MAX_CHANGES}`,
    { id: row.id, sentAt: row.sentAt, toldActivity, kinds: JSON.stringify(FOLLOWED_CHANGES) },
  );
  rows.reverse();
  const toChange = ({ issueId, kind, name, data }: (typeof rows)[number]): IssueChange => ({
    issueId,
    kind,
    by: name,
    assignee: readAssignee(data),
  });
  return {
    message: { ...message, items: JSON.parse(items), more: JSON.parse(more) },
    changes: rows.map(toChange),
    untold: rows.filter(({ id }) => id > toldActivity).map(toChange),
    attempts,
    upTo: { activity: rows.at(-1)?.id ?? toldActivity, retryAt },
  };
}

function readAssignee(data: string): string | null {
  const { assignee } = JSON.parse(data) as { assignee?: { name?: unknown } | null };
  return typeof assignee?.name === "string" ? assignee.name : null;
}
