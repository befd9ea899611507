import type { RowBatch } from "../events/event-log.ts";
import type { TableRows } from "../events/rows.ts";
import type { Table } from "../events/table.ts";

const encoder = new TextEncoder();

/** The rows of one table, and for each row the index of its item in the merged batch. */
interface Gathered {
  table: Table;
  parts: TableRows[];
  items: number[];
}

/**
 * Joins batches into fewer, larger ones, because an insert of one row costs as much as one of a hundred. Neighbouring batches are joined if
 * they are from one journal and have the same separators between the texts of a table. Rows get the present columns of the tables.
 */
export function mergeBatches(batches: readonly RowBatch[], tables: ReadonlyMap<string, Table>): RowBatch[] {
  const runs: RowBatch[][] = [];
  let marksByTable = new Map<string, string>();
  for (const batch of batches) {
    const run = runs.at(-1);
    const marks = batch.rows.map(({ table, marks: own }): [string, string] => [table, `${own.between}${own.null}`]);
    const canJoin =
      run?.[0]?.journalId === batch.journalId &&
      marks.every(([table, own]) => (marksByTable.get(table) ?? own) === own);
    if (canJoin) {
      run.push(batch);
    } else {
      runs.push([batch]);
      marksByTable = new Map();
    }
    for (const [table, own] of marks) marksByTable.set(table, own);
  }
  return runs.map((run) => mergeRun(run, tables));
}

function mergeRun(batches: readonly RowBatch[], tables: ReadonlyMap<string, Table>): RowBatch {
  const [first] = batches as [RowBatch];
  const byTable = new Map<Table, Gathered>();
  const leftOut: number[] = [];
  let itemCount = 0;
  for (const batch of batches) {
    let ownCount = 0;
    for (const rows of batch.rows) {
      const table = tables.get(rows.table);
      if (table === undefined || rows.count === 0) continue;
      const gathered: Gathered = byTable.get(table) ?? { table, parts: [], items: [] };
      byTable.set(table, gathered);
      gathered.parts.push(rows);
      for (const item of rows.items) {
        gathered.items.push(itemCount + item);
        ownCount = Math.max(ownCount, item + 1);
      }
    }
    for (const item of batch.leftOut) leftOut.push(itemCount + item);
    itemCount += ownCount;
  }
  return {
    journalId: first.journalId,
    upTo: Math.max(...batches.map(({ upTo }) => upTo)),
    rows: Array.from(byTable.values(), joinRows),
    leftOut,
    environments: batches.flatMap(({ environments }) => environments),
  };
}

function joinRows({ table, parts, items }: Gathered): TableRows {
  const [{ marks }] = parts as [TableRows];
  const columns: TableRows["columns"] = {};
  for (const { name, type } of table.columns) {
    const isText = type === "text";
    columns[name] = joinColumn(parts, name, { between: isText ? marks.between : ",", empty: isText ? marks.null : "" });
  }
  for (const name of table.lateColumns) columns[name] = joinColumn(parts, name, { between: ",", empty: "0" });
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return { table: table.name, count, items: Int32Array.from(items), columns, lateColumns: table.lateColumns, marks };
}

function joinColumn(
  parts: readonly TableRows[],
  name: string,
  { between, empty }: { between: string; empty: string },
): Uint8Array<ArrayBuffer> {
  const separator = encoder.encode(between);
  const pieces: Uint8Array[] = [];
  for (const { columns, count } of parts) {
    if (pieces.length > 0) pieces.push(separator);
    pieces.push(columns[name] ?? encoder.encode(new Array(count).fill(empty).join(between)));
  }
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
