import { readChannelAddress } from "../../../domain/channels/channel-place.ts";
import { isForOnePerson, MAX_NAMED_ISSUES } from "../../../domain/notification.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { DeliveryTarget, NewsCounts, NewsItem } from "../../state/delivery-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { PRIORITY } from "../issues/issue-priority.ts";

export const TARGET = "project_id = :projectId AND channel = :channel AND address = :address";

/** For this long, an item that several failing targets share is told to the fallback channel only once. */
const TOLD_KEPT_MS = 30 * DAY_MS;
/** How often the fallback channel is told that a target still fails. */
const SAID_EVERY_MS = 6 * HOUR_MS;

interface Making {
  now: number;
  createKey: () => string;
}

interface CollectingRow {
  id: number;
  items: string;
  more: string;
  isForwarded: number;
}

/**
 * Adds items to the message that collects news for the target. While the target fails, the fallback channel is told, too. Within a write
 * transaction.
 */
export function addNews(
  db: SqliteConnection,
  { target, items, ...making }: { target: DeliveryTarget; items: readonly NewsItem[] } & Making,
): void {
  const fallback = findFallback(db);
  const isFallback = fallback !== null && target.channel === "channel" && target.address === String(fallback);
  if (isFallback) for (const item of items) noteTold(db, item, making.now);
  const isFailing = fallback !== null && !isFallback && isForwarding(db, target);
  const isForwarded = collect(db, { target, items, isForwarded: isFailing, ...making });
  if (isFailing && isForwarded) tellFallback(db, fallback, { target, items, failure: null, ...making });
  // Items that wait in the same message are not delayed either.
  if (target.channel !== "channel" && isAboutHigh(db, items))
    db.run(`UPDATE deliveries SET is_high = max(is_high, 1) WHERE ${TARGET} AND died_at IS NULL`, { ...target });
  // Nobody has acknowledged the issue, so the people of the next step are told even in quiet hours.
  if (target.channel !== "channel" && items.some(({ transition }) => transition === "escalated"))
    db.run(`UPDATE deliveries SET is_high = 2 WHERE ${TARGET} AND died_at IS NULL`, { ...target });
}

/** Whether one of their issues has high priority now. */
function isAboutHigh(db: SqliteConnection, items: readonly NewsItem[]): boolean {
  const sql = `SELECT 1 FROM issues AS i WHERE i.id IN (SELECT value FROM json_each(:ids)) AND ${PRIORITY} = 'high' LIMIT 1`;
  return db.get(sql, { ids: JSON.stringify(items.map(({ issueId }) => issueId)) }) !== undefined;
}

/** Adds items to the waiting message. Returns whether its earlier items, if any, were forwarded. */
function collect(
  db: SqliteConnection,
  {
    target,
    items,
    isForwarded,
    now,
    createKey,
  }: { target: DeliveryTarget; items: readonly NewsItem[]; isForwarded: boolean } & Making,
): boolean {
  const collecting = db.get<CollectingRow>(
    `SELECT id, items, more, is_forwarded AS isForwarded FROM deliveries
     WHERE ${TARGET} AND died_at IS NULL AND attempts = 0 ORDER BY id DESC LIMIT 1`,
    { ...target },
  );
  const known: NewsItem[] = collecting === undefined ? [] : JSON.parse(collecting.items);
  const more: NewsCounts = collecting === undefined ? { new: 0, regressed: 0 } : JSON.parse(collecting.more);
  const all = [...known, ...items];
  for (const { transition } of all.splice(MAX_NAMED_ISSUES)) more[transition] = (more[transition] ?? 0) + 1;
  const row = { items: JSON.stringify(all), more: JSON.stringify(more) };
  if (collecting !== undefined) {
    db.run("UPDATE deliveries SET items = :items, more = :more WHERE id = :id", { ...row, id: collecting.id });
    return collecting.isForwarded === 1;
  }
  db.run(
    `INSERT INTO deliveries (key, project_id, channel, address, items, more, attempts, created_at, next_attempt_at, is_forwarded)
     VALUES (:key, :projectId, :channel, :address, :items, :more, 0, :now, :now, :isForwarded)`,
    { ...target, ...row, key: createKey(), now, isForwarded: isForwarded ? 1 : 0 },
  );
  db.run(
    "INSERT OR IGNORE INTO delivery_channels (project_id, channel, address) VALUES (:projectId, :channel, :address)",
    { ...target },
  );
  return isForwarded;
}

/**
 * Forwards this message to the fallback channel, and the message that waits behind it for the same target. Each message is forwarded once,
 * and none if there is no fallback channel, or if the fallback channel is the target that fails. Within a write transaction.
 */
export function forwardUndelivered(
  db: SqliteConnection,
  { id, target, failure, ...making }: { id: number; target: DeliveryTarget; failure: string } & Making,
): void {
  const fallback = findFallback(db);
  if (fallback === null || (target.channel === "channel" && target.address === String(fallback))) return;
  const rows = db.all<{ id: number; items: string }>(
    `SELECT id, items FROM deliveries
     WHERE ${TARGET} AND is_forwarded = 0 AND (id = :id OR died_at IS NULL) ORDER BY id`,
    { ...target, id },
  );
  if (rows.length === 0) return;
  for (const row of rows) db.run("UPDATE deliveries SET is_forwarded = 1 WHERE id = :id", { id: row.id });
  const items = rows.flatMap((row): NewsItem[] => JSON.parse(row.items));
  tellFallback(db, fallback, { target, items, failure, ...making });
}

/**
 * Messages for a single person are not forwarded.
 * @param failure the reason why the target fails, told when it begins to fail; null: it was told already
 */
function tellFallback(
  db: SqliteConnection,
  fallback: number,
  {
    target,
    items,
    failure,
    ...making
  }: { target: DeliveryTarget; items: readonly NewsItem[]; failure: string | null } & Making,
): void {
  const { now } = making;
  db.run("DELETE FROM fallback_news WHERE told_at < :before", { before: now - TOLD_KEPT_MS });
  const insteadOf = nameTarget(db, target) ?? "somebody";
  const trouble: NewsItem = { transition: "undelivered", issueId: 0, eventId: "", at: now, release: null, insteadOf };
  const isSaid =
    failure === null ||
    !noteTold(
      db,
      {
        issueId: 0,
        transition: `undelivered ${target.channel} ${target.address}`,
        at: Math.floor(now / SAID_EVERY_MS),
      },
      now,
    );
  const told = items
    .filter((item) => !isForOnePerson(item.transition) && item.transition !== "undelivered" && noteTold(db, item, now))
    .map((item) => ({ ...item, insteadOf }));
  const news = [...(isSaid ? [] : [{ ...trouble, failure }]), ...told];
  if (news.length === 0) return;
  const { projectId } = target;
  collect(db, {
    target: { projectId, channel: "channel", address: String(fallback) },
    items: news,
    isForwarded: false,
    ...making,
  });
}

/** Notes that the fallback channel is told an item. False: it was told before. */
function noteTold(
  db: SqliteConnection,
  { issueId, transition, at }: { issueId: number; transition: string; at: number },
  toldAt: number,
): boolean {
  const sql =
    "INSERT OR IGNORE INTO fallback_news (issue_id, transition, at, told_at) VALUES (:issueId, :transition, :at, :toldAt)";
  return db.run(sql, { issueId, transition, at, toldAt }).changedRows > 0;
}

function isForwarding(db: SqliteConnection, target: DeliveryTarget): boolean {
  const sql = `SELECT 1 FROM deliveries WHERE ${TARGET} AND died_at IS NULL AND is_forwarded = 1 LIMIT 1`;
  return db.get(sql, { ...target }) !== undefined;
}

function findFallback(db: SqliteConnection): number | null {
  return db.get<{ id: number }>("SELECT id FROM channels WHERE is_fallback = 1 AND serves_all = 1")?.id ?? null;
}

const NAME = "CASE WHEN u.name = '' THEN u.email ELSE u.name END";
const NAMES = {
  channel: "SELECT name FROM channels WHERE id = :id",
  person: `SELECT ${NAME} AS name FROM users AS u WHERE id = :id`,
  push: `SELECT ${NAME} || ' (' || browser || ')' AS name FROM push_subscriptions AS s JOIN users AS u ON u.id = s.user_id WHERE s.id = :id`,
};

/** The name of a target. Null: the channel, the person or the browser was deleted. */
export function nameTarget(
  db: SqliteConnection,
  { channel, address }: Pick<DeliveryTarget, "channel" | "address">,
): string | null {
  if (channel === "email") return address;
  const place = channel === "channel" ? readChannelAddress(address).place : "";
  const id = channel === "channel" ? readChannelAddress(address).channelId : Number(address.replace(/^.*\//, ""));
  const name = db.get<{ name: string }>(NAMES[channel], { id })?.name ?? null;
  return name === null || place === "" ? name : `${name} (${place})`;
}
