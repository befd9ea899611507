import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import {
  fillColumn,
  type RowsByTable,
  readCell,
  readIds,
  readNumbers,
  readTexts,
  selectRows,
  type TableOf,
  toNewRow,
  toRowsByTable,
  transferablesOf,
} from "./rows.ts";

interface Sample {
  at: number;
  isOn: boolean;
  id: string | null;
  text: string | null;
}

const SAMPLES: TableOf<Sample> = {
  name: "samples",
  columns: [
    { name: "at", type: "integer", get: (row) => row.at },
    { name: "is_on", type: "boolean", get: (row) => row.isOn },
    { name: "id", type: "uuid", get: (row) => row.id },
    { name: "text", type: "text", get: (row) => row.text },
  ],
  lateColumns: ["issue_id"],
};
const OTHERS: TableOf<Sample> = { ...SAMPLES, name: "others", lateColumns: [] };

const ID = "0123456789abcdef0123456789abcdef";
const sample = (change: Partial<Sample> = {}) => ({ at: 1, isOn: false, id: null, text: null, ...change });

function gather(...items: Sample[][]): RowsByTable {
  return toRowsByTable(items.map((rows) => ({ rows: rows.map((row) => toNewRow(SAMPLES, row)) })));
}

describe("rows by table", () => {
  test("give every value back, and the item of each row", () => {
    const [rows] = gather(
      [sample({ at: -5, isOn: true, id: ID, text: "ünïcödé\0\x1f" })],
      [],
      [sample({ text: "" }), sample({ at: 2 ** 52 })],
    );
    if (rows === undefined) throw new Error("no rows");
    expect([...rows.items]).toEqual([0, 2, 2]);
    expect([...readNumbers(rows, "at")]).toEqual([-5, 1, 2 ** 52]);
    expect(readIds(rows, "id")).toEqual([ID, "", ""]);
    expect(readTexts(rows, "text")).toEqual(["ünïcödé\0\x1f", "", null]);
    expect([0, 1, 2].map((row) => readCell(rows, "is_on", "boolean", row))).toEqual(["1", "0", "0"]);
    expect([0, 1, 2].map((row) => readCell(rows, "text", "text", row))).toEqual(["ünïcödé\0\x1f", "", null]);
    expect([0, 1, 2].map((row) => readCell(rows, "id", "uuid", row))).toEqual([ID, null, null]);
  });

  test("are selected by their items, which keep their places", () => {
    const [rows] = gather([sample({ at: 1, text: "a" })], [sample({ at: 2, id: ID, text: null })], [sample({ at: 3 })]);
    if (rows === undefined) throw new Error("no rows");
    expect(selectRows(rows, () => true)).toBe(rows);
    const selected = selectRows(rows, (item) => item > 0);
    expect([selected.count, ...selected.items]).toEqual([2, 1, 2]);
    expect([...readNumbers(selected, "at")]).toEqual([2, 3]);
    expect(readIds(selected, "id")).toEqual([ID, ""]);
    expect(readTexts(selected, "text")).toEqual([null, null]);
    expect(
      readTexts(
        selectRows(rows, (item) => item === 0),
        "text",
      ),
    ).toEqual(["a"]);
    expect(selectRows(rows, () => false).count).toBe(0);
  });

  test("are one for each table that an item has rows of", () => {
    const rows = [toNewRow(SAMPLES, sample()), toNewRow(OTHERS, sample()), toNewRow(OTHERS, sample())];
    expect(toRowsByTable([{ rows }]).map(({ table, count }) => [table, count])).toEqual([
      ["samples", 1],
      ["others", 2],
    ]);
    expect(toRowsByTable([])).toEqual([]);
  });

  test("get their late columns by the items they are of", () => {
    const [rows] = gather([sample()], [sample(), sample()]);
    if (rows === undefined) throw new Error("no rows");
    fillColumn(rows, "issue_id", (item) => item + 40);
    expect([...readNumbers(rows, "issue_id")]).toEqual([40, 41, 41]);
  });

  test("move to another thread and back", async () => {
    const rows = gather([sample({ text: "here" })]);
    const worker = new Worker(
      "const { parentPort } = require('node:worker_threads'); parentPort.once('message', ({ rows, list }) => parentPort.postMessage(rows, list));",
      { eval: true },
    );
    const posted = await new Promise<RowsByTable>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
      worker.postMessage({ rows, list: transferablesOf(rows) }, transferablesOf(rows));
    });
    await worker.terminate();
    expect(rows[0]?.columns.text?.byteLength).toBe(0);
    expect(posted.map((each) => readTexts(each, "text"))).toEqual([["here"]]);
  });

  test("have marks that no text can hold", () => {
    const marksOf = (text: string) => gather([sample({ text })])[0]?.marks;
    expect(marksOf("plain")).toEqual({ between: "\x1f", null: "\x1c" });
    for (const text of ["\x1f", "a\x1cb"]) {
      const [first, second] = [marksOf(text), marksOf(text)];
      expect(first?.between).toHaveLength(37);
      expect(first?.between).not.toBe(second?.between);
      expect(first?.null).toHaveLength(37);
    }
  });
});

test("a row is refused that its columns cannot hold, and fractions are cut off", () => {
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
    expect(() => toNewRow(SAMPLES, sample({ at }))).toThrow(/at is not a number/);
  }
  for (const id of ["", "no hex", ID.toUpperCase()]) {
    expect(() => toNewRow(SAMPLES, sample({ id }))).toThrow(/id is not 32 lower-case hex/);
  }
  expect(toNewRow(SAMPLES, sample({ at: 7.75 })).cells[0]).toBe(7);
});
