import type { EmailChange, EmailChangeStore, UndoLink } from "../../state/email-change-store.ts";
import { memberTarget } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { removePushSubscriptions } from "../notifications/push.ts";
import { toEmailKey } from "./email-key.ts";
import { createReset, endMailedLinks } from "./resets.ts";

export function createEmailChangeStore(db: SqliteConnection): EmailChangeStore {
  return {
    askEmailChange: (ask) => db.write(() => askEmailChange(db, ask)),
    findEmailChange: async (tokenHash, now) => db.read(() => findEmailChange(db, tokenHash, now)),
    confirmEmailChange: (confirm) => db.write(() => confirmEmailChange(db, confirm)),
    setEmail: (set) => db.write(() => setEmail(db, set)),
    undoEmailChange: (undo) => db.write(() => undoEmailChange(db, undo)),
  };
}

function askEmailChange(db: SqliteConnection, ask: Parameters<EmailChangeStore["askEmailChange"]>[0]): boolean {
  if (isTaken(db, ask)) return false;
  db.run("DELETE FROM email_changes WHERE user_id = :userId AND is_undo = 0", { userId: ask.userId });
  db.run(
    `INSERT INTO email_changes (token_hash, user_id, email, is_undo, expires_at)
     VALUES (:tokenHash, :userId, :email, 0, :expiresAt)`,
    { ...ask },
  );
  db.note({ action: "email.ask", target: memberTarget(db, ask.userId), after: { email: ask.email } });
  return true;
}

function findEmailChange(
  db: SqliteConnection,
  tokenHash: string,
  now: number,
): (EmailChange & { changedAt: number | null }) | null {
  const row = db.get<Omit<EmailChange, "isUndo"> & { isUndo: number; changedAt: number | null }>(
    `SELECT c.user_id AS userId, c.is_undo AS isUndo, c.changed_at AS changedAt, u.email AS "from", c.email AS "to"
     FROM email_changes c JOIN users u ON u.id = c.user_id
     JOIN members m ON m.user_id = u.id AND m.removed_at IS NULL
     WHERE c.token_hash = :tokenHash AND c.expires_at > :now`,
    { tokenHash, now },
  );
  return row ? { ...row, isUndo: row.isUndo === 1 } : null;
}

function confirmEmailChange(
  db: SqliteConnection,
  { tokenHash, undo, at }: Parameters<EmailChangeStore["confirmEmailChange"]>[0],
): EmailChange | null {
  const change = findEmailChange(db, tokenHash, at);
  if (!change || change.isUndo) return null;
  const { userId, to } = change;
  return setEmail(db, { userId, email: to, undo, at });
}

function setEmail(
  db: SqliteConnection,
  { userId, email, undo, at }: Parameters<EmailChangeStore["setEmail"]>[0],
): EmailChange | null {
  const current = db.get<{ email: string }>(
    "SELECT u.email FROM users u JOIN members m ON m.user_id = u.id AND m.removed_at IS NULL WHERE u.id = :userId",
    { userId },
  );
  if (!current || isTaken(db, { userId, email })) return null;
  saveEmail(db, { userId, email });
  if (undo) saveUndo(db, { userId, email: current.email, undo, at });
  return { userId, isUndo: false, from: current.email, to: email };
}

function undoEmailChange(
  db: SqliteConnection,
  { tokenHash, reset, at }: Parameters<EmailChangeStore["undoEmailChange"]>[0],
): boolean {
  const change = findEmailChange(db, tokenHash, at);
  if (!change?.isUndo || isTaken(db, { userId: change.userId, email: change.to })) return false;
  const { userId, to, changedAt } = change;
  saveEmail(db, { userId, email: to });
  for (const table of ["sessions", "known_browsers", "email_changes"])
    db.run(`DELETE FROM ${table} WHERE user_id = :userId`, { userId });
  for (const added of [
    "DELETE FROM passkeys WHERE user_id = :userId AND created_at >= :changedAt",
    "DELETE FROM second_factors WHERE user_id = :userId AND created_at >= :changedAt",
    "DELETE FROM api_tokens WHERE user_id = :userId AND kind = 'personal' AND created_at >= :changedAt",
    // It is not known when it was connected, so the owner must connect it again.
    "DELETE FROM provider_identities WHERE user_id = :userId AND is_managed = 0 AND used_at >= :changedAt",
  ])
    db.run(added, { userId, changedAt });
  removePushSubscriptions(db, userId, changedAt ?? 0);
  createReset(db, { userId, ...reset, at });
  return true;
}

function isTaken(db: SqliteConnection, { userId, email }: { userId: number; email: string }): boolean {
  const emailKey = toEmailKey(email);
  return (
    db.get("SELECT 1 FROM users WHERE email_key = :emailKey AND id <> :userId", { emailKey, userId }) !== undefined
  );
}

function saveEmail(db: SqliteConnection, { userId, email }: { userId: number; email: string }): void {
  const before = memberTarget(db, userId);
  db.run("UPDATE users SET email = :email, email_key = :emailKey WHERE id = :userId", {
    userId,
    email: email.trim(),
    emailKey: toEmailKey(email),
  });
  endMailedLinks(db, userId);
  const after = { member: memberTarget(db, userId).name };
  db.note({ action: "profile.edit", target: before, before: { member: before.name }, after });
}

/** Keeps the oldest change that can be undone. Otherwise a stranger in the account could change the address twice. */
function saveUndo(
  db: SqliteConnection,
  { userId, email, undo, at }: { userId: number; email: string; undo: UndoLink; at: number },
): void {
  db.run("DELETE FROM email_changes WHERE expires_at <= :at", { at });
  db.run(
    `INSERT INTO email_changes (token_hash, user_id, email, is_undo, changed_at, expires_at)
     VALUES (:tokenHash, :userId, :email, 1, :at, :expiresAt)`,
    { userId, email, at, ...undo },
  );
}
