import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toMigration } from "../sql/migrations.ts";
import { EVERYTHING } from "../state/contract/fixture.ts";
import { SqliteConnection } from "./connection.ts";
import { migrate, readStateMigrations } from "./migrate.ts";
import { openSqliteState } from "./open-sqlite-state.ts";

let folder: string;
let path: string;
let open: SqliteConnection[];

async function connect(isReadOnly = false): Promise<SqliteConnection> {
  const connection = await SqliteConnection.open({ path, isReadOnly });
  open.push(connection);
  return connection;
}

function tablesOf(db: SqliteConnection): string[] {
  return db
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map((table) => table.name);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "culprit-migrate-"));
  path = join(folder, "state.db");
  open = [];
});

afterEach(() => {
  for (const connection of open) connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const FIRST = toMigration("0001_first.sql", 1, "CREATE TABLE a (x INTEGER);\n");
const SECOND = toMigration("0002_second.sql", 2, "CREATE TABLE b (x INTEGER);\nINSERT INTO b VALUES (1);\n");

describe("migrations", () => {
  test("are applied in order, once each", async () => {
    const db = await connect();
    await migrate(db, [FIRST]);
    await migrate(db, [FIRST, SECOND]);
    await migrate(db, [FIRST, SECOND]);
    expect(tablesOf(db)).toEqual(["a", "b", "schema_migrations"]);
    expect(db.all("SELECT x FROM b")).toHaveLength(1);
    expect(
      db.all<{ name: string }>("SELECT name FROM schema_migrations ORDER BY number").map((row) => row.name),
    ).toEqual([FIRST.name, SECOND.name]);
  });

  test("that fail leave the database as it was, the ones before them included", async () => {
    const db = await connect();
    const broken = toMigration("0002_broken.sql", 2, "CREATE TABLE b (x INTEGER);\nCREATE TABLE a (x INTEGER);\n");
    await expect(migrate(db, [FIRST, broken])).rejects.toThrow("migration 0002_broken.sql");
    expect(tablesOf(db)).toEqual([]);
    await migrate(db, [FIRST, SECOND]);
  });

  test("that were edited after they had been applied are refused", async () => {
    const db = await connect();
    await migrate(db, [FIRST]);
    const edited = toMigration(FIRST.name, 1, `${FIRST.sql}-- edited\n`);
    await expect(migrate(db, [edited, SECOND])).rejects.toThrow("0001_first.sql was changed after it had been applied");
    expect(tablesOf(db)).not.toContain("b");
  });

  test("of a newer version are refused, with what to do", async () => {
    const db = await connect();
    await migrate(db, [FIRST, SECOND]);
    await expect(migrate(db, [FIRST])).rejects.toThrow(/newer version of Culprit: it has migration 0002_second\.sql/);
  });

  test("are not applied to a database of something else", async () => {
    const db = await connect();
    db.exec("CREATE TABLE customers (id INTEGER)");
    await expect(migrate(db, [FIRST])).rejects.toThrow("was not made by Culprit");
    expect(tablesOf(db)).toEqual(["customers"]);
  });

  test("are not applied by who may only read", async () => {
    await migrate(await connect(), [FIRST]);
    const reader = await connect(true);
    await migrate(reader, [FIRST]);
    await expect(migrate(reader, [FIRST, SECOND])).rejects.toThrow("opened only for reading");
  });
});

describe("migration files", () => {
  test("that are shipped have numbers without gaps", () => {
    expect(readStateMigrations()[0]).toMatchObject({ number: 1, name: "0001_state.sql" });
  });

  test("keep what people did to their issues", async () => {
    const db = await connect();
    const migrations = readStateMigrations();
    const rebuilt = migrations.findIndex(({ name }) => name === "0008_issue-releases.sql");
    await migrate(db, migrations.slice(0, rebuilt));
    db.exec("INSERT INTO issue_activity (id, issue_id, at, kind, data) VALUES (7, 1, 5, 'resolved', '{\"a\":1}')");
    await migrate(db, migrations);
    expect(db.all("SELECT id, issue_id, at, kind, user_id, data, release_id FROM issue_activity")).toEqual([
      { id: 7, issue_id: 1, at: 5, kind: "resolved", user_id: null, data: '{"a":1}', release_id: null },
    ]);
    db.exec("INSERT INTO issue_activity (issue_id, at, kind, data) VALUES (1, 6, 'joined', '{}')");
    expect(db.get("SELECT max(id) AS id FROM issue_activity")).toEqual({ id: 8 });
  });

  test("keep the one rewrite of paths that links into a repository had", async () => {
    const db = await connect();
    const migrations = readStateMigrations();
    await migrate(
      db,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === "0014_code-mappings.sql"),
      ),
    );
    const save = (slug: string, links: object | null) =>
      db.run(
        "INSERT INTO projects (slug, name, platform, created_at, source_links) VALUES (:slug, :slug, 'go', 0, :links)",
        { slug, links: links && JSON.stringify(links) },
      );
    const links = {
      host: "github",
      repositoryUrl: "https://github.com/acme/shop",
      template: null,
      defaultBranch: "main",
    };
    save("a", { ...links, stripPrefix: "C:\\app\\", sourceRoot: 'packages/"web"' });
    save("b", { ...links, stripPrefix: "", sourceRoot: "packages/web" });
    save("c", { ...links, stripPrefix: "", sourceRoot: "" });
    save("d", null);
    await migrate(db, migrations);
    const rows = db.all<{ slug: string; source_links: string | null }>(
      "SELECT slug, source_links FROM projects WHERE slug IN ('a', 'b', 'c', 'd') ORDER BY slug",
    );
    expect(rows.map((row) => row.source_links && JSON.parse(row.source_links))).toEqual([
      { ...links, codeMappings: [{ stackRoot: "C:\\app\\", sourceRoot: 'packages/"web"' }] },
      { ...links, codeMappings: [{ stackRoot: "", sourceRoot: "packages/web" }] },
      { ...links, codeMappings: [] },
      null,
    ]);
  });

  test("leave one first seen of issues that were joined, and their joins to be gone over", async () => {
    const db = await connect();
    const migrations = readStateMigrations();
    const name = "0017_unfinished-regrouping.sql";
    await migrate(db, migrations.slice(0, migrations.map((each) => each.name).indexOf(name)));
    db.exec(`
      INSERT INTO merged_issues (issue_id, short_id, target_issue_id, merged_at) VALUES (2, 'A-2', 1, 9), (3, 'A-3', 1, 9);
      INSERT INTO issue_activity (id, issue_id, at, kind, data) VALUES
        (1, 1, 5, 'first_seen', '{"e":1}'), (2, 1, 6, 'resolved', '{}'), (3, 1, 4, 'first_seen', '{"e":3}'),
        (4, 1, 7, 'first_seen', '{"e":4}'), (5, 8, 1, 'first_seen', '{"e":5}')`);
    await migrate(db, migrations);
    expect(db.all("SELECT id, issue_id, at, kind, data FROM issue_activity ORDER BY id")).toEqual([
      { id: 1, issue_id: 1, at: 4, kind: "first_seen", data: '{"e":3}' },
      { id: 2, issue_id: 1, at: 6, kind: "resolved", data: "{}" },
      { id: 5, issue_id: 8, at: 1, kind: "first_seen", data: '{"e":5}' },
    ]);
    expect(db.all("SELECT issue_id FROM merged_issues WHERE is_swept = 0")).toHaveLength(2);
  });

  test("note the repositories that builds have named", async () => {
    const db = await connect();
    await migrate(db, readStateMigrations().slice(0, 14));
    db.exec(
      "INSERT INTO releases (id, version, search_text, package, sort_key, created_at) VALUES (1, '1', '1', '', '', 0)",
    );
    for (const [position, repository] of ["acme/web", "", "local", "acme/web", "origin"].entries()) {
      db.run(
        `INSERT INTO release_commits (release_id, position, commit_id, repository, at, message, has_files)
         VALUES (1, :position, 'c' || :position, :repository, 10 - :position, '', 0)`,
        { position, repository },
      );
    }
    await migrate(db, readStateMigrations());
    expect(db.all("SELECT name, provider, url, status, created_at FROM repositories ORDER BY name")).toEqual([
      { name: "acme/web", provider: null, url: null, status: "active", created_at: 7 },
      { name: "origin", provider: null, url: null, status: "active", created_at: 6 },
    ]);
  });
});

describe("opening", () => {
  test("for reading shows what is there and refuses writes", async () => {
    const writer = await openSqliteState({ path });
    await writer.projects.createProject({ slug: "web", name: "Web", platform: "node", at: 1 });
    const reader = await openSqliteState({ path, readOnly: true });
    expect(await reader.projects.listProjects(EVERYTHING)).toHaveLength(1);
    await expect(reader.projects.createProject({ slug: "api", name: "", platform: "", at: 1 })).rejects.toThrow(
      "readonly",
    );
    await reader.close();
    await writer.close();
  });

  test("for reading what does not exist makes no file", async () => {
    await expect(openSqliteState({ path, readOnly: true })).rejects.toThrow("unable to open");
  });

  test("a file that is no database is refused, and left as it was", async () => {
    writeFileSync(path, "not a database, but long enough to be taken for a header of one ".repeat(20));
    await expect(openSqliteState({ path })).rejects.toThrow("file is not a database");
  });
});
