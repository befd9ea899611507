import { MAX_PASSKEYS, type Passkey } from "../../../domain/people/passkey.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { NewPasskey, PasskeyStore } from "../../state/passkey-store.ts";
import { memberTarget } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

type Row = RowOf<Passkey, { transports: string; isBackedUp: number }>;

const COLUMNS = asFields(
  "p.id, p.credential_id, p.user_handle, p.site, p.transports, p.is_backed_up, p.name, p.created_at, p.used_at",
);
/** Only passkeys of present members: removed members cannot sign in. */
const OF_MEMBERS = "FROM passkeys p JOIN members m ON m.user_id = p.user_id AND m.removed_at IS NULL";

export function createPasskeyStore(db: SqliteConnection): PasskeyStore {
  return {
    listPasskeys: async (userId) => db.read(() => listPasskeys(db, userId)),
    hasPasskeys: async () => db.read(() => db.get(`SELECT 1 ${OF_MEMBERS} LIMIT 1`) !== undefined),
    addPasskey: (passkey) => db.write(() => addPasskey(db, passkey)),
    findPasskey: async (credentialId) => db.read(() => findPasskey(db, credentialId)),
    notePasskeyUse: (use) => db.write(() => notePasskeyUse(db, use)),
    renamePasskey: (rename) => db.write(() => renamePasskey(db, rename)),
    removePasskey: (remove) => db.write(() => removePasskey(db, remove)),
  };
}

function toPasskey<Of extends Row>(row: Of) {
  return { ...row, transports: JSON.parse(row.transports) as string[], isBackedUp: row.isBackedUp === 1 };
}

function listPasskeys(db: SqliteConnection, userId: number): Passkey[] {
  const sql = `SELECT ${COLUMNS} FROM passkeys p WHERE user_id = :userId ORDER BY p.id LIMIT ${MAX_PASSKEYS}`;
  return db.all<Row>(sql, { userId }).map(toPasskey);
}

function addPasskey(db: SqliteConnection, { transports, isBackedUp, ...passkey }: NewPasskey): boolean {
  const { userId, name } = passkey;
  if (listPasskeys(db, userId).length >= MAX_PASSKEYS) return false;
  const { changedRows } = db.run(
    `INSERT INTO passkeys
       (user_id, credential_id, user_handle, site, public_key, counter, transports, is_backed_up, name, created_at)
     VALUES (:userId, :credentialId, :userHandle, :site, :publicKey, :counter, :transports, :isBackedUp, :name, :createdAt)
     ON CONFLICT DO NOTHING`,
    { ...passkey, transports: JSON.stringify(transports), isBackedUp: isBackedUp ? 1 : 0 },
  );
  if (changedRows === 0) return false;
  db.note({ action: "factor.add", target: memberTarget(db, userId), after: { factor: `passkey ${name}` } });
  return true;
}

function findPasskey(db: SqliteConnection, credentialId: string): Awaited<ReturnType<PasskeyStore["findPasskey"]>> {
  const row = db.get<Row & { userId: number; publicKey: Uint8Array<ArrayBuffer>; counter: number }>(
    `SELECT ${COLUMNS}, ${asFields("p.user_id, p.public_key, p.counter")} ${OF_MEMBERS}
     WHERE p.credential_id = :credentialId`,
    { credentialId },
  );
  return row ? toPasskey(row) : null;
}

function notePasskeyUse(
  db: SqliteConnection,
  { isBackedUp, ...use }: Parameters<PasskeyStore["notePasskeyUse"]>[0],
): boolean {
  const { changedRows } = db.run(
    `UPDATE passkeys SET counter = :nextCounter, used_at = :at, is_backed_up = :isBackedUp
     WHERE id = :passkeyId AND counter = :counter`,
    { ...use, isBackedUp: isBackedUp ? 1 : 0 },
  );
  return changedRows > 0;
}

function renamePasskey(
  db: SqliteConnection,
  { userId, passkeyId, name }: Parameters<PasskeyStore["renamePasskey"]>[0],
): boolean {
  const before = findName(db, { userId, passkeyId });
  if (before === null) return false;
  db.run("UPDATE passkeys SET name = :name WHERE id = :passkeyId", { passkeyId, name });
  db.note({
    action: "factor.rename",
    target: memberTarget(db, userId),
    before: { factor: `passkey ${before}` },
    after: { factor: `passkey ${name}` },
  });
  return true;
}

function removePasskey(db: SqliteConnection, remove: { userId: number; passkeyId: number }): string | null {
  const name = findName(db, remove);
  if (name === null) return null;
  db.run("DELETE FROM passkeys WHERE id = :passkeyId", { passkeyId: remove.passkeyId });
  db.note({
    action: "factor.remove",
    target: memberTarget(db, remove.userId),
    before: { factor: `passkey ${name}` },
  });
  return name;
}

/** Removes all passkeys of the user, within a write transaction. */
export function removePasskeys(db: SqliteConnection, userId: number): void {
  for (const { id } of listPasskeys(db, userId)) removePasskey(db, { userId, passkeyId: id });
}

function findName(db: SqliteConnection, of: { userId: number; passkeyId: number }): string | null {
  const sql = "SELECT name FROM passkeys WHERE id = :passkeyId AND user_id = :userId";
  return db.get<{ name: string }>(sql, of)?.name ?? null;
}
