import { describe, expect, test } from "vitest";
import {
  BETWEEN_PARTS,
  boundCells,
  MAX_LINES_BYTES,
  MAX_ROW_BYTES,
  MAX_TEXT_BYTES,
  readLongTexts,
} from "./bounded-row.ts";
import type { Table } from "./table.ts";

const TABLE: Table = {
  name: "things",
  columns: [
    { name: "id", type: "integer" },
    { name: "release", type: "text", keeps: "whole" },
    { name: "attributes", type: "text", keeps: "object" },
    { name: "tags", type: "text", keeps: "lines" },
    { name: "body", type: "text" },
    { name: "long", type: "text" },
  ],
  lateColumns: [],
  longTexts: "long",
};

type Texts = Partial<Record<"release" | "attributes" | "tags" | "body", string>>;

function bound({ release = "", attributes = "{}", tags = "", body = "" }: Texts) {
  const [, ...cells] = boundCells(TABLE, [1, release, attributes, tags, body, null]) as string[];
  const long = cells.pop() ?? null;
  const whole = long === null ? null : Object.fromEntries(readLongTexts(long.replaceAll(BETWEEN_PARTS, "")));
  return {
    cells,
    whole,
    parts: long === null ? [] : long.split(BETWEEN_PARTS),
    bytes: cells.map((text) => Buffer.byteLength(text)),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

describe("a row", () => {
  test("with short texts stays as it is", () => {
    const cells = [1, "r", '{"a":1}', "\na=1\n", "x".repeat(MAX_TEXT_BYTES - 100), null];
    expect(boundCells(TABLE, cells)).toEqual(cells);
  });

  test("is measured in bytes, not in characters", () => {
    const { bytes, whole } = bound({ body: "ä".repeat(MAX_TEXT_BYTES / 2 + 1) });
    expect(bytes[3]).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(whole).not.toBeNull();
  });

  test("loses the end of long texts, and keeps them whole elsewhere", () => {
    const body = "ä😀".repeat(3_000);
    const { cells, whole, bytes } = bound({ body });
    expect(cells[3]).toMatch(/^(ä😀)+ä?…$/u);
    expect(bytes[3]).toBeGreaterThan(MAX_TEXT_BYTES - 8);
    expect(bytes[3]).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(whole).toEqual({ body });
  });

  test("has a bound for all of its texts together, and the short ones stay", () => {
    const texts = {
      release: "r".repeat(250),
      attributes: JSON.stringify({ a: "x".repeat(9_000) }),
      body: "b".repeat(9_000),
    };
    const { cells, whole, bytes } = bound({ ...texts, tags: "\nplan=pro\n" });
    expect(cells[0]).toBe(texts.release);
    expect(cells[2]).toBe("\nplan=pro\n");
    const withoutTags = sum(bytes) - (bytes[2] ?? 0);
    expect(withoutTags).toBeLessThanOrEqual(MAX_ROW_BYTES);
    expect(withoutTags).toBeGreaterThan(MAX_ROW_BYTES - 20);
    expect(whole).toEqual({ attributes: texts.attributes, body: texts.body });
  });

  test("keeps JSON that can be read: short values, the keys that name people, and types", () => {
    const attributes = {
      ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key ${at}`, "x".repeat(at)])),
      ["k".repeat(5_000)]: 1,
      nested: { type: "string", value: "v".repeat(5_000) },
      list: Array(3_000).fill(7),
      ["__proto__"]: "own",
      "user.email": `${"a".repeat(240)}@example.com`,
    };
    const { cells, whole, bytes } = bound({ attributes: JSON.stringify(attributes) });
    expect(bytes[1]).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    const kept = JSON.parse(cells[1] as string);
    expect(kept).toMatchObject({ "user.email": attributes["user.email"], "key 20": "x".repeat(20) });
    expect(Object.keys(kept).length).toBeGreaterThan(30);
    expect(whole).toEqual({ attributes: JSON.stringify(attributes) });

    const few = { nested: attributes.nested, list: attributes.list, n: 5, is: true, ["__proto__"]: "own" };
    const short = JSON.parse(bound({ attributes: JSON.stringify(few) }).cells[1] as string);
    expect(short).toEqual({
      nested: { type: "string", value: expect.stringMatching(/^v+…$/) },
      list: expect.arrayContaining([7]),
      n: 5,
      is: true,
      ["__proto__"]: "own",
    });
  });

  test("keeps whole lines of tags", () => {
    const tags = `\n${Array.from({ length: 300 }, (_, at) => `key${at}=${"v".repeat(30)}\n`).join("")}`;
    const { cells, bytes } = bound({ tags });
    expect(tags.startsWith(cells[2] as string)).toBe(true);
    expect(cells[2]).toMatch(/=v{30}\n$/);
    expect(bytes[2]).toBeGreaterThan(MAX_LINES_BYTES - 50);
  });

  test("has parts of its long texts that are short, too, and never half a character", () => {
    const body = `a${"😀".repeat(20_000)}\ud800`;
    const { parts, whole } = bound({ body });
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(whole).toEqual({ body });
  });

  test("without a column for long texts only loses them", () => {
    const { longTexts: _, ...table } = TABLE;
    const cells = boundCells(table, [1, "", "{}", "", "x".repeat(9_000), null]);
    expect(cells[4]).toHaveLength(MAX_TEXT_BYTES - 2);
    expect(cells[5]).toBeNull();
  });
});
