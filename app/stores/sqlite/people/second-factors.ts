import { asFields } from "../../sql/columns.ts";
import type { SecondFactor, SecondFactorStore } from "../../state/second-factor-store.ts";
import { memberTarget } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

export function createSecondFactorStore(db: SqliteConnection): SecondFactorStore {
  return {
    getSecondFactor: async (userId) => db.read(() => getSecondFactor(db, userId)),
    beginSecondFactor: (begin) => db.write(() => beginSecondFactor(db, begin)),
    confirmSecondFactor: (confirm) => db.write(() => confirmSecondFactor(db, confirm)),
    takeStep: (take) => db.write(() => takeStep(db, take)),
    takeRecoveryCode: (take) => db.write(() => takeRecoveryCode(db, take)),
    replaceRecoveryCodes: (replace) => db.write(() => replaceRecoveryCodes(db, replace)),
    removeSecondFactor: (userId) => db.write(() => removeSecondFactor(db, userId)),
  };
}

function getSecondFactor(db: SqliteConnection, userId: number): SecondFactor | null {
  const row = db.get<SecondFactor>(
    `SELECT ${asFields("secret, created_at, confirmed_at")},
       (SELECT count(*) FROM recovery_codes c WHERE c.user_id = f.user_id) AS recoveryCodesLeft
     FROM second_factors f WHERE user_id = :userId`,
    { userId },
  );
  return row ?? null;
}

function beginSecondFactor(db: SqliteConnection, begin: { userId: number; secret: string; at: number }): boolean {
  const { changedRows } = db.run(
    `INSERT INTO second_factors (user_id, secret, created_at) VALUES (:userId, :secret, :at)
     ON CONFLICT DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at WHERE confirmed_at IS NULL`,
    begin,
  );
  return changedRows > 0;
}

function confirmSecondFactor(
  db: SqliteConnection,
  { recoveryCodeHashes, ...confirm }: Parameters<SecondFactorStore["confirmSecondFactor"]>[0],
): boolean {
  const { changedRows } = db.run(
    `UPDATE second_factors SET confirmed_at = :at, last_step = :step
     WHERE user_id = :userId AND secret = :secret AND confirmed_at IS NULL`,
    confirm,
  );
  if (changedRows === 0) return false;
  saveRecoveryCodes(db, { userId: confirm.userId, codeHashes: recoveryCodeHashes });
  db.note({ action: "factor.add", target: memberTarget(db, confirm.userId), after: { factor: "authenticator app" } });
  return true;
}

function takeStep(db: SqliteConnection, take: { userId: number; step: number }): boolean {
  const { changedRows } = db.run(
    `UPDATE second_factors SET last_step = :step
     WHERE user_id = :userId AND last_step < :step AND confirmed_at IS NOT NULL`,
    take,
  );
  return changedRows > 0;
}

function takeRecoveryCode(db: SqliteConnection, take: { userId: number; codeHash: string }): boolean {
  return db.run("DELETE FROM recovery_codes WHERE user_id = :userId AND code_hash = :codeHash", take).changedRows > 0;
}

function replaceRecoveryCodes(
  db: SqliteConnection,
  replace: Parameters<SecondFactorStore["replaceRecoveryCodes"]>[0],
): void {
  saveRecoveryCodes(db, replace);
  db.note({ action: "factor.renew-codes", target: memberTarget(db, replace.userId) });
}

function saveRecoveryCodes(
  db: SqliteConnection,
  { userId, codeHashes }: { userId: number; codeHashes: readonly string[] },
): void {
  db.run("DELETE FROM recovery_codes WHERE user_id = :userId", { userId });
  db.run(
    `INSERT INTO recovery_codes (user_id, code_hash)
     SELECT user_id, value FROM second_factors, json_each(:codeHashes) WHERE user_id = :userId`,
    { userId, codeHashes: JSON.stringify(codeHashes) },
  );
}

/** Within a write transaction. */
export function removeSecondFactor(db: SqliteConnection, userId: number): boolean {
  const known = getSecondFactor(db, userId);
  db.run("DELETE FROM second_factors WHERE user_id = :userId", { userId });
  if (known === null || known.confirmedAt === null) return false;
  db.note({ action: "factor.remove", target: memberTarget(db, userId), before: { factor: "authenticator app" } });
  return true;
}
