import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteConnection } from "../connection.ts";
import { migrate, readStateMigrations } from "../migrate.ts";
import { openSqliteState } from "../open-sqlite-state.ts";

test("people of an older database keep their sessions, and get the roles of what they could see", async () => {
  const folder = mkdtempSync(join(tmpdir(), "culprit-members-"));
  try {
    const path = join(folder, "state.db");
    const db = await SqliteConnection.open({ path, isReadOnly: false });
    await migrate(
      db,
      readStateMigrations().filter(({ number }) => number < 35),
    );
    db.exec(`
      INSERT INTO projects (id, slug, name, platform, created_at) VALUES (1, 'web', 'Web', 'node', 0), (2, 'api', 'API', 'node', 0);
      INSERT INTO users (id, email, email_key, name, role, password_hash, project_ids, created_at) VALUES
        (1, 'ada@example.com', 'ada@example.com', 'Ada', 'owner', 'x', NULL, 10),
        (2, 'bob@example.com', 'bob@example.com', 'Bob', 'member', 'x', NULL, 20),
        (3, 'cleo@example.com', 'cleo@example.com', 'Cleo', 'member', 'x', '[2, 99]', 30);
      INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES ('of cleo', 3, 0, 1000);
      INSERT INTO api_tokens (kind, name, token_hash, hint, scopes, user_id, created_at)
        VALUES ('personal', 'Mine', 'h', '', '["org:read"]', 3, 0);`);
    db.close();
    await using state = await open(path);
    expect(await state.people.getAccess(1)).toEqual({ role: "owner", projectIds: [], teams: [] });
    expect(await state.people.getAccess(2)).toEqual({ role: "manager", projectIds: [], teams: [] });
    expect(await state.people.getAccess(3)).toEqual({ role: "viewer", projectIds: [2], teams: [] });
    expect(await state.people.getOwner()).toMatchObject({ id: 1, createdAt: 10 });
    expect(await state.people.getSession("of cleo", 0)).toMatchObject({ userId: 3, expiresAt: 1000 });
    expect(await state.tokens.findToken("h")).toMatchObject({ userId: 3 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function open(path: string) {
  const state = await openSqliteState({ path });
  return { ...state, [Symbol.asyncDispose]: () => state.close() };
}
