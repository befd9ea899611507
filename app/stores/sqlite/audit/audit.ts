import { setImmediate } from "node:timers/promises";
import type { AuditCheck, AuditEntry } from "../../../domain/audit/audit-entry.ts";
import { type AuditEnds, type AuditRow, type BrokenEntry, ChainWalk } from "../../sql/audit-chain.ts";
import { AUDIT_COLUMNS, appendEntry, readEnds, toEntry } from "../../sql/audit-log.ts";
import { toConditionSql } from "../../sql/condition-sql.ts";
import type { AuditPage, AuditQuery, AuditStore } from "../../state/audit-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createAuditDialect } from "./audit-dialect.ts";

/** Entries that are read before the event loop gets a turn: some 10 ms. */
const STEP = 2_000;
const MAX_SEARCH_MS = 300;

export function createAuditStore(db: SqliteConnection): AuditStore {
  return {
    actAs: (actor, work) => db.actors.run(actor, work),
    note: (note) => db.write(() => db.note(note)),
    listEntries: (_scope, query) => listEntries(db, query),
    checkEntries: () => checkEntries(db),
    dropEntries: (before, kept) => db.write(() => dropEntries(db, before, kept)),
  };
}

/** Reads in steps, newest entry first, so that a search with few matches does not block the thread. */
async function listEntries(db: SqliteConnection, { where, before, limit }: AuditQuery): Promise<AuditPage> {
  const { lastId, droppedId } = db.perform(readEnds());
  const endsAt = performance.now() + MAX_SEARCH_MS;
  const entries: AuditEntry[] = [];
  let top = Math.min(before ?? lastId + 1, lastId + 1);
  while (top > droppedId + 1) {
    const bottom = Math.max(top - STEP, droppedId + 1);
    const params: Record<string, string | number> = { top, bottom, limit: limit - entries.length };
    const rows = db.all<AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM audit_entries
       WHERE id < :top AND id >= :bottom AND ${toConditionSql(where, createAuditDialect(params))}
       ORDER BY id DESC LIMIT :limit`,
      params,
    );
    entries.push(...rows.map(toEntry));
    const last = rows.at(-1);
    top = entries.length >= limit && last ? last.id : bottom;
    if (entries.length >= limit || performance.now() > endsAt) break;
    await setImmediate();
  }
  return { entries, nextBefore: top > droppedId + 1 ? top : null };
}

/** Checks the entries that exist at the start. Later ones are not checked. */
async function checkEntries(db: SqliteConnection): Promise<AuditCheck> {
  const ends = db.perform(readEnds());
  const check = await walkEntries(db, ends);
  // Old entries may have been dropped meanwhile.
  const isShorter = !check.ok && db.perform(readEnds()).droppedId > ends.droppedId;
  return isShorter ? checkEntries(db) : check;
}

async function walkEntries(db: SqliteConnection, ends: AuditEnds): Promise<AuditCheck> {
  const walk = new ChainWalk(ends);
  for (let top = ends.droppedId; top < ends.lastId; top += STEP) {
    const rows = db.all<AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM audit_entries WHERE id > :top AND id <= :bottom ORDER BY id`,
      { top, bottom: Math.min(top + STEP, ends.lastId) },
    );
    for (const row of rows) {
      const broken = walk.step(row);
      if (broken) return toBroken(broken);
    }
    await setImmediate();
  }
  const broken = walk.end();
  if (broken) return toBroken(broken);
  return { ok: true, count: walk.count, lastId: ends.lastId, lastHash: ends.lastHash };
}

function toBroken({ id, reason }: BrokenEntry): AuditCheck {
  return { ok: false, entryId: id, reason };
}

/** Within a write transaction. The chain then begins after the newest dropped entry. */
function dropEntries(db: SqliteConnection, before: number, kept: number): number {
  const { lastId, droppedId } = db.perform(readEnds());
  // Entries are deleted by id, because the clock of a server may have been set back.
  const firstKept = db.get<{ id: number }>("SELECT id FROM audit_entries WHERE at >= :before ORDER BY id LIMIT 1", {
    before,
  });
  const newest = Math.max((firstKept?.id ?? lastId + 1) - 1, lastId - kept);
  const row = db.get<{ hash: string }>("SELECT hash FROM audit_entries WHERE id = :newest", { newest });
  if (newest <= droppedId || row === undefined) return 0;
  db.run("UPDATE audit_ends SET dropped_id = :newest, dropped_hash = :hash WHERE id = 1", { newest, hash: row.hash });
  const { changedRows } = db.run("DELETE FROM audit_entries WHERE id <= :newest", { newest });
  db.perform(
    appendEntry(
      {
        action: "audit.prune",
        target: { kind: "audit log", id: newest, name: `entries up to ${newest}` },
        after: { entries: changedRows, "last hash": row.hash },
      },
      db.actors.getStore(),
      Date.now(),
    ),
  );
  return changedRows;
}
