import { expect, test } from "vitest";
import type { Condition, FieldTest } from "../../domain/search/condition.ts";
import { hasBit, MASK_BYTES, setBits, toMask } from "./place-mask.ts";

test("a range has a bit when one of its places is set", () => {
  for (const place of [0, 1, 7, 8, 9, 63, 64, 19_999]) {
    const mask = new Uint8Array(MASK_BYTES);
    setBits(mask, place, place + 1);
    for (const from of [0, 1, 6, 7, 8, 9, 60, 64, 19_998, 19_999])
      for (const to of [from + 1, from + 2, from + 9, from + 200].filter((end) => end <= 20_000))
        expect(hasBit(mask, from, to), `${place} in ${from} to ${to}`).toBe(place >= from && place < to);
  }
});

test("joins the places of tests as their condition says", () => {
  const make = (field: string, isNegated = false): FieldTest => ({
    kind: "test",
    field,
    isTag: true,
    isNegated,
    test: { kind: "exists" },
  });
  const places: Record<string, [number, number]> = { a: [0, 10], b: [5, 20] };
  const read = ({ field }: FieldTest) => {
    const mask = new Uint8Array(MASK_BYTES);
    setBits(mask, ...(places[field] as [number, number]));
    return mask;
  };
  const listPlaces = (condition: Condition) => {
    const mask = toMask(condition, read);
    return Array.from({ length: 25 }, (_, place) => place).filter((place) => hasBit(mask, place, place + 1));
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  expect(listPlaces({ kind: "all", parts: [make("a"), make("b")] })).toEqual(range(5, 10));
  expect(listPlaces({ kind: "any", parts: [make("a"), make("b")] })).toEqual(range(0, 20));
  expect(listPlaces({ kind: "all", parts: [make("a"), make("b", true)] })).toEqual(range(0, 5));
  expect(listPlaces(make("b", true))).toEqual([...range(0, 5), ...range(20, 25)]);
  expect(listPlaces({ kind: "all", parts: [] })).toEqual(range(0, 25));
  expect(listPlaces({ kind: "any", parts: [] })).toEqual([]);
});
