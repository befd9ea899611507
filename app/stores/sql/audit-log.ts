import { listChanges } from "../../domain/audit/audit-changes.ts";
import { type AuditActor, type AuditEntry, type AuditNote, SERVER_ACTOR } from "../../domain/audit/audit-entry.ts";
import { cutText } from "../../domain/cut-text.ts";
import { type AuditEnds, type AuditRow, hashEntry } from "./audit-chain.ts";
import { asFields } from "./columns.ts";
import { get, type Query, run } from "./query.ts";

const MAX_NAME_CHARS = 200;

export const AUDIT_COLUMNS = asFields(
  "id, at, actor_kind, actor_id, actor_name, address, action, target_kind, target_id, target_name, changes, hash",
);
const ENDS_SQL = `SELECT ${asFields("last_id, last_hash, dropped_id, dropped_hash")} FROM audit_ends WHERE id = 1`;

/** Adds an entry to the chain, in the transaction of the change. An edit that changed nothing adds none. */
export function* appendEntry(note: AuditNote, who: AuditActor | undefined, at: number): Query<void> {
  const changes = listChanges(note.before, note.after);
  if (changes.length === 0 && note.before && note.after) return;
  const actor = { ...(who ?? SERVER_ACTOR), ...note.actor };
  // The update locks the end of the chain, so that two writers of an engine with several do not both follow one entry.
  const ends = yield* get<{ lastId: number; lastHash: string }>(
    `UPDATE audit_ends SET last_id = last_id + 1 WHERE id = 1 RETURNING ${asFields("last_id, last_hash")}`,
  );
  if (ends === undefined) throw new Error("the audit log has lost its ends");
  const row = {
    id: ends.lastId,
    at: Math.floor(at),
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: cutText(actor.name, MAX_NAME_CHARS),
    address: actor.address,
    action: note.action,
    targetKind: note.target.kind,
    targetId: note.target.id,
    targetName: cutText(note.target.name, MAX_NAME_CHARS),
    changes: JSON.stringify(changes),
  };
  const hash = hashEntry(ends.lastHash, row);
  yield* run(
    `INSERT INTO audit_entries (id, at, actor_kind, actor_id, actor_name, address, action, target_kind, target_id, target_name, changes, hash)
     VALUES (:id, :at, :actorKind, :actorId, :actorName, :address, :action, :targetKind, :targetId, :targetName, :changes, :hash)`,
    { ...row, hash },
  );
  yield* run("UPDATE audit_ends SET last_hash = :hash WHERE id = 1", { hash });
}

/** Both ends of the chain. */
export function* readEnds(): Query<AuditEnds> {
  const ends = yield* get<AuditEnds>(ENDS_SQL);
  if (ends === undefined) throw new Error("the audit log has lost its ends");
  return ends;
}

export function toEntry({
  actorKind,
  actorId,
  actorName,
  address,
  targetKind,
  targetId,
  targetName,
  ...row
}: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: actorKind as AuditActor["kind"], id: actorId, name: actorName, address },
    action: row.action,
    target: { kind: targetKind, id: targetId, name: targetName },
    changes: JSON.parse(row.changes),
    hash: row.hash,
  };
}
