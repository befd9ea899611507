import { randomBytes } from "node:crypto";
import type { ActLinkStore } from "../../state/act-link-store.ts";
import type { SqliteConnection } from "../connection.ts";

export function createActLinkStore(db: SqliteConnection): ActLinkStore {
  const readKey = () => db.get<{ key: string }>("SELECT key FROM act_link_key")?.key;
  return {
    getKey: async () =>
      readKey() ??
      (await db.write(() => {
        const key = randomBytes(32).toString("base64url");
        db.run("INSERT OR IGNORE INTO act_link_key (id, key) VALUES (1, :key)", { key });
        return readKey() ?? key;
      })),
    isUsed: async (hash) => db.get("SELECT 1 FROM used_act_links WHERE hash = :hash", { hash }) !== undefined,
    use: ({ hash, expiresAt, now }) =>
      db.write(() => {
        db.run("DELETE FROM used_act_links WHERE expires_at < :now", { now });
        const sql = "INSERT OR IGNORE INTO used_act_links (hash, expires_at) VALUES (:hash, :expiresAt)";
        return db.run(sql, { hash, expiresAt }).changedRows > 0;
      }),
  };
}
