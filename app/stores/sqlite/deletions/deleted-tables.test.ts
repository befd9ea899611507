import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../../tests/support/temp-folder.ts";
import { LARGE_ISSUE_TABLES, SMALL_ISSUE_TABLES } from "../issues/issue-tables.ts";
import { openSqliteState } from "../open-sqlite-state.ts";
import { TABLES_BY_PROJECT } from "./delete-project.ts";

// A new table with rows of an issue or of a project has to say what a deletion does to it.

/** Rows that name an issue and outlive it, and why. */
const KEPT_OF_ISSUE: Readonly<Record<string, string>> = {
  merged_issues: "deleted by the issue that they lead to",
  issue_merges: "deleted by the issue that they lead to",
  issue_splits: "deleted with the version of the rules moved on",
  deleted_hashes: "what the deletion itself still needs",
  deletion_issues: "what the deletion itself still needs",
  feedback: "what a person wrote stays, without its issue",
  channel_message_issues: "goes with the message that it is a part of",
  fallback_news: "goes after a time",
  alert_firings: "the history of a rule, bounded by its number",
  alert_outcomes: "the history of a rule, bounded by its number",
};

const KEPT_OF_PROJECT: Readonly<Record<string, string>> = {
  issues: "deleted one after the other, with all that they have",
  deletions: "what the deletion itself still needs",
  deleted_events: "what the deletion itself still needs",
  damaged_items: "damage is counted once, also while the deletion still meets it",
};

function readTables(): Array<{ name: string; columns: string[]; cascades: string[] }> {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as Array<{ name: string }>;
  const tables = rows.map(({ name }) => ({
    name,
    columns: (db.prepare(`PRAGMA table_info(${name})`).all() as Array<{ name: string }>).map((column) => column.name),
    cascades: (db.prepare(`PRAGMA foreign_key_list(${name})`).all() as Array<{ table: string; on_delete: string }>)
      .filter((key) => key.on_delete === "CASCADE")
      .map((key) => key.table),
  }));
  db.close();
  return tables;
}

const folder = makeTempFolder();
const path = join(folder.path, "state.sqlite");
await (await openSqliteState({ path })).close();
const tables = readTables();
folder[Symbol.dispose]();

test("a deleted issue leaves rows in no table that nobody has thought of", () => {
  const handled = new Set<string>([...SMALL_ISSUE_TABLES, ...LARGE_ISSUE_TABLES, ...Object.keys(KEPT_OF_ISSUE)]);
  const open = tables.filter(({ name, columns }) => columns.includes("issue_id") && !handled.has(name));
  expect(open.map(({ name }) => name)).toEqual([]);
});

test("a deleted project leaves rows in no table that nobody has thought of", () => {
  const handled = new Set<string>([
    ...TABLES_BY_PROJECT,
    ...SMALL_ISSUE_TABLES,
    ...LARGE_ISSUE_TABLES,
    ...Object.keys(KEPT_OF_PROJECT),
  ]);
  const open = tables.filter(
    ({ name, columns, cascades }) =>
      columns.includes("project_id") && !handled.has(name) && !cascades.includes("projects"),
  );
  expect(open.map(({ name }) => name)).toEqual([]);
});
