import { expect, test } from "vitest";
import type { PayloadRef } from "../payload-store.ts";
import {
  decodeRowLogEntry,
  encodeLoggedRows,
  hasMovedRows,
  readLoggedTables,
  withoutLoggedRows,
  withoutMovedRows,
} from "./row-log.ts";
import { readNumbers, readTexts, toNewRow, toRowsByTable } from "./rows.ts";
import type { Table } from "./table.ts";

interface Row {
  id: number;
  title: string | null;
}

const TABLE: Table = {
  name: "things",
  columns: [
    { name: "id", type: "integer" },
    { name: "title", type: "text" },
  ],
  lateColumns: ["payload_file", "payload_offset", "payload_index"],
};

const OTHER: Table = { name: "others", columns: [{ name: "title", type: "text" }], lateColumns: [] };

const refOf = (place: number): PayloadRef => ({ fileId: 1, offset: 100, index: place });

function entryOf(rows: readonly Row[], leftOut: readonly number[] = []): Uint8Array {
  const table = {
    ...TABLE,
    columns: TABLE.columns.map((column) => ({ ...column, get: (row: Row) => row[column.name as keyof Row] })),
  };
  const other = { ...OTHER, columns: [{ name: "title", type: "text" as const, get: (row: Row) => row.title }] };
  const items = rows.map((row) => ({ rows: [toNewRow(table, row), toNewRow(other, row)] }));
  const batch = { journalId: "j", from: 3, upTo: 9, rows: toRowsByTable(items), leftOut, environments: [] };
  return encodeLoggedRows(batch, (item) => (item === 1 ? null : item));
}

const ROWS: Row[] = [
  { id: 1, title: "one, and a comma" },
  { id: 2, title: null },
  { id: 3, title: "secret" },
  { id: 4, title: "" },
];

function read(entry: Uint8Array) {
  const decoded = decodeRowLogEntry(entry, refOf);
  if (decoded.kind !== "rows") throw new Error("an entry of rows");
  const [things, others] = decoded.rows;
  if (!things || !others) throw new Error("two tables");
  return {
    range: [decoded.from, decoded.upTo],
    ids: [...readNumbers(things, "id")],
    titles: readTexts(things, "title"),
    payloads: [...readNumbers(things, "payload_index")],
    others: readTexts(others, "title"),
    leftOut: decoded.leftOut,
  };
}

test("an entry without some of its rows has the others as they were", () => {
  const entry = withoutLoggedRows(entryOf(ROWS, [3]), (_, row) => row === 2);
  expect(Buffer.from(entry).includes("secret")).toBe(false);
  expect(read(entry)).toEqual({
    range: [3, 9],
    ids: [1, 2, 4],
    titles: ["one, and a comma", null, ""],
    payloads: [0, 0, 3],
    others: ["one, and a comma", null, ""],
    leftOut: [2, 5],
  });
});

test("rows go from one table alone, and all of them can go", () => {
  const entry = withoutLoggedRows(entryOf(ROWS), (table) => table === 0);
  expect(read(entry)).toMatchObject({ range: [3, 9], ids: [], titles: [], others: ROWS.map(({ title }) => title) });
  expect(read(withoutLoggedRows(entry, () => true))).toMatchObject({ range: [3, 9], ids: [], others: [] });
});

test("a single row whose text has commas stays whole", () => {
  const entry = withoutLoggedRows(entryOf(ROWS.slice(0, 2)), (_, row) => row === 1);
  expect(read(entry).titles).toEqual(["one, and a comma"]);
  expect(read(withoutLoggedRows(entry, () => false)).titles).toEqual(["one, and a comma"]);
});

test("tables are read with the places of their payloads", () => {
  const [things, others] = readLoggedTables(entryOf(ROWS));
  expect(things?.places).toEqual([0, -1, 2, 3]);
  expect(things && readTexts(things.rows, "title")).toEqual(ROWS.map(({ title }) => title));
  expect(others?.places).toEqual([-1, -1, -1, -1]);
});

test("an entry says that rows of it have moved to files, and keeps the others", () => {
  const entry = entryOf(ROWS);
  expect(hasMovedRows(entry)).toBe(false);
  const left = withoutMovedRows(entry, [new Set([1, 2]), new Set()]);
  expect(hasMovedRows(left)).toBe(true);
  expect(read(left)).toMatchObject({ ids: [1, 4], others: ROWS.map(({ title }) => title) });
});
