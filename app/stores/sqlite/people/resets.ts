import type { InvitationStore, LinkStore } from "../../state/invitation-store.ts";
import { memberTarget } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { toEmailKey } from "./email-key.ts";

/** Within a write transaction. */
export function createReset(
  db: SqliteConnection,
  { at, mailedTo, ...reset }: Parameters<InvitationStore["createReset"]>[0],
): boolean {
  const { userId } = reset;
  const key = db.get<{ key: string }>("SELECT email_key AS key FROM users WHERE id = :userId", { userId })?.key;
  if (mailedTo !== undefined && toEmailKey(mailedTo) !== key) return false;
  db.run("DELETE FROM password_resets WHERE user_id = :userId", { userId });
  db.run(
    `INSERT INTO password_resets (token_hash, user_id, created_at, expires_at)
     VALUES (:tokenHash, :userId, :at, :expiresAt)`,
    { ...reset, at },
  );
  db.note({ action: "reset.create", target: memberTarget(db, userId) });
  return true;
}

/** The user of a valid reset link; null if it has expired, or the user is not a member now. */
export function findReset(
  db: SqliteConnection,
  tokenHash: string,
  now: number,
): { userId: number; email: string } | null {
  const row = db.get<{ userId: number; email: string }>(
    `SELECT r.user_id AS userId, u.email FROM password_resets r JOIN users u ON u.id = r.user_id
     JOIN members m ON m.user_id = u.id AND m.removed_at IS NULL
     WHERE r.token_hash = :tokenHash AND r.expires_at > :now`,
    { tokenHash, now },
  );
  return row ?? null;
}

/**
 * Deletes links for a new password or another address, because somebody who knew the former password, or reads the former address, may have
 * asked for them. The link that undoes a change of the address stays. Within a write transaction.
 */
export function endMailedLinks(db: SqliteConnection, userId: number): void {
  db.run("DELETE FROM password_resets WHERE user_id = :userId", { userId });
  db.run("DELETE FROM email_changes WHERE user_id = :userId AND is_undo = 0", { userId });
}

/** Within a write transaction. */
export function takeReset(
  db: SqliteConnection,
  { tokenHash, passwordHash, now }: Parameters<LinkStore["takeReset"]>[0],
): boolean {
  const reset = findReset(db, tokenHash, now);
  if (!reset) return false;
  const { userId } = reset;
  db.run("UPDATE users SET password_hash = :passwordHash WHERE id = :userId", { userId, passwordHash });
  for (const table of ["sessions", "known_browsers"])
    db.run(`DELETE FROM ${table} WHERE user_id = :userId`, { userId });
  endMailedLinks(db, userId);
  const target = memberTarget(db, userId);
  db.note({ action: "password.reset", target, actor: { kind: "member", id: userId, name: target.name } });
  return true;
}
