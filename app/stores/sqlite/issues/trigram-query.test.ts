import { expect, test } from "vitest";
import { toTrigramQuery } from "./trigram-query.ts";

test("every part gives its trigrams, each once", () => {
  expect(toTrigramQuery(["abcd", "bcd"])).toBe('"abc" AND "bcd"');
});

test("quotes are doubled, and characters outside the basic plane count as one", () => {
  expect(toTrigramQuery(['a"b'])).toBe('"a""b"');
  expect(toTrigramQuery(["😀😀😀"])).toBe('"😀😀😀"');
});

test("parts of one or two characters, and a NUL, cannot be asked for", () => {
  expect(toTrigramQuery(["ab", "😀😀", ""])).toBeNull();
  expect(toTrigramQuery(["ab\u0000"])).toBeNull();
  expect(toTrigramQuery(["ab\u0000cde"])).toBe('"cde"');
});

test("long parts give some of their trigrams only", () => {
  const long = Array.from({ length: 500 }, (_, index) => String.fromCharCode(0x4e00 + index)).join("");
  expect(toTrigramQuery([long])?.split(" AND ")).toHaveLength(12);
});
