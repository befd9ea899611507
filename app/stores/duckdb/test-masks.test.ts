import { expect, test } from "vitest";
import type { FieldTest } from "../../domain/search/condition.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { TestMaskReader } from "./test-masks.ts";

const PLAN: FieldTest = {
  kind: "test",
  field: "plan",
  isTag: true,
  isNegated: false,
  test: { kind: "in", values: ["pro"] },
};
const toUser = (field: string, value: string): FieldTest => ({
  kind: "test",
  field,
  isTag: false,
  isNegated: false,
  test: { kind: "in", values: [value] },
});

/** Answers with these rows of the pieces that are asked for. */
function createReader(rows: () => Array<{ chunk: number } & Record<string, unknown>>) {
  const asked: string[] = [];
  const read = async (sql: string) => {
    const [, from, to] = /chunk > (\d+) AND chunk <= (\d+)/.exec(sql) ?? [];
    asked.push(`${from}-${to}`);
    return rows().filter(({ chunk }) => chunk > Number(from) && chunk <= Number(to)) as unknown as SqlRow[];
  };
  return { reader: new TestMaskReader({ read }), asked };
}

const toPiece = (to: number, version = 1) => ({ from: to - 10, to, version });
const toBits = (byte: number) => ({ data: Uint8Array.of(0, byte) });

test("a piece is read once for a test, negated or not, and again when it was summed again", async () => {
  let rows = [
    { chunk: 10, version: 1, bits: toBits(0b1000_0000) },
    { chunk: 30, version: 1, bits: toBits(0b0100_0000) },
  ];
  const { reader, asked } = createReader(() => rows);
  const first = await reader.read([PLAN], [1], [toPiece(20), toPiece(10)]);
  expect([...(first.bits.get(PLAN) ?? [])]).toEqual([[10, Uint8Array.of(0b1000_0000)]]);
  const negated = { ...PLAN, isNegated: true };
  const second = await reader.read([negated], [1], [toPiece(30), toPiece(20), toPiece(10)]);
  expect([...(second.bits.get(negated) ?? [])].map(([chunk]) => chunk).sort()).toEqual([10, 30]);
  rows = [{ chunk: 10, version: 2, bits: toBits(0b0010_0000) }];
  const third = await reader.read([PLAN], [1], [toPiece(30), toPiece(20), toPiece(10, 2)]);
  expect(third.bits.get(PLAN)?.get(10)).toEqual(Uint8Array.of(0b0010_0000));
  expect(third.bits.get(PLAN)?.has(30)).toBe(true);
  await reader.read([PLAN], [1, 2], [toPiece(10, 2)]);
  expect(asked).toEqual(["0-20", "20-30", "0-10", "0-10"]);
});

test("a piece that was summed again since it was listed is told, and not kept", async () => {
  const { reader, asked } = createReader(() => [{ chunk: 10, version: 2, bits: toBits(1) }]);
  const { changed } = await reader.read([PLAN], [1], [toPiece(20), toPiece(10)]);
  expect([...changed]).toEqual([10]);
  await reader.read([PLAN], [1], [toPiece(20), toPiece(10, 2)]);
  expect(asked).toEqual(["0-20", "0-10"]);
});

test("tests of users are read together", async () => {
  const { reader, asked } = createReader(() => [{ chunk: 10, version: 1, bits0: toBits(1), bits1: null }]);
  const [key, name] = [toUser("user", "id:7"), toUser("userName", "7")];
  const { bits } = await reader.read([key, name], [1], [toPiece(10)]);
  expect(bits.get(key)?.get(10)).toEqual(Uint8Array.of(1));
  expect(bits.get(name)?.size).toBe(0);
  expect(asked).toHaveLength(1);
});
