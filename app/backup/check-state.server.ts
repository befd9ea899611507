import { DatabaseSync } from "node:sqlite";
import { type AuditEnds, type AuditRow, type BrokenEntry, ChainWalk } from "../stores/sql/audit-chain.ts";
import { AUDIT_COLUMNS } from "../stores/sql/audit-log.ts";
import { asFields } from "../stores/sql/columns.ts";
import { type Finding, RESTORE } from "./finding.ts";
import { findStateProblems } from "./state-copy.server.ts";

/** Facts in the state database about the other stores. */
export interface StateReport {
  folderId: string | null;
  /** The applied sequence by journal. */
  positions: ReadonlyMap<string, number>;
  /** Keys of the blobs that uploads need. */
  blobs: readonly string[];
}

/**
 * The report is null when the state cannot be read at all. The findings then say why.
 *
 * @throws a sentence for the operator if the state is of a version without ids of data folders
 */
export function checkState(path: string): { report: StateReport | null; findings: Finding[] } {
  const broken = (what: string): Finding => ({
    path,
    what,
    means: "projects, people, issues and counts cannot be read, and the server does not start",
    cure: RESTORE,
  });
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  } catch (error) {
    return { report: null, findings: [broken(`it cannot be opened: ${messageOf(error)}`)] };
  }
  try {
    const problems = findStateProblems(database);
    const findings: Finding[] = problems.map((problem) => ({
      path,
      what: `SQLite finds: ${problem}`,
      means: "some rows may be missing or wrong",
      cure: RESTORE,
    }));
    const references = database.prepare("PRAGMA foreign_key_check").all().length;
    if (references > 0) {
      findings.push({
        path,
        what: `${references} rows refer to rows that are not there`,
        means: "pages may leave something out",
        cure: RESTORE,
      });
    }
    const entry = findBrokenEntry(database);
    if (entry !== null)
      findings.push({
        path,
        what: `the audit log does not fit from entry ${entry.id} on: ${entry.reason}`,
        means: "somebody changed the database without Culprit, or rows of it are damaged",
        cure: "compare with an export of the log, or with an earlier backup",
      });
    const folder = database.prepare("SELECT folder_id FROM data_folder").get();
    const positions = database.prepare("SELECT journal_id, sequence FROM journal_positions").all();
    const blobs = database.prepare("SELECT DISTINCT checksum FROM artifact_bundles").all();
    return {
      report: {
        folderId: folder ? String(folder.folder_id) : null,
        positions: new Map(positions.map((row) => [String(row.journal_id), Number(row.sequence)])),
        blobs: blobs.map(({ checksum }) => String(checksum)),
      },
      findings,
    };
  } catch (error) {
    if (/no such table: data_folder/.test(messageOf(error)))
      throw new Error(
        `${path} is of an early version, which this one cannot check. The start of a server upgrades it; check it then`,
      );
    return { report: null, findings: [broken(`it cannot be read: ${messageOf(error)}`)] };
  } finally {
    database.close();
  }
}

/** The first entry of the audit log that does not fit to the one before; null: all fit. */
export function findBrokenEntry(database: DatabaseSync): BrokenEntry | null {
  // A folder of an older version has no log.
  if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'audit_ends'").get()) return null;
  const ends = database
    .prepare(`SELECT ${asFields("last_id, last_hash, dropped_id, dropped_hash")} FROM audit_ends`)
    .get() as unknown as AuditEnds;
  const walk = new ChainWalk(ends);
  const rows = database.prepare(`SELECT ${AUDIT_COLUMNS} FROM audit_entries WHERE id > ? ORDER BY id`);
  for (const row of rows.iterate(ends.droppedId)) {
    const broken = walk.step(row as unknown as AuditRow);
    if (broken) return broken;
  }
  return walk.end();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
