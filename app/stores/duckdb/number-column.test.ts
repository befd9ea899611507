import { expect, test } from "vitest";
import { NumberColumn } from "./number-column.ts";

const read = (column: NumberColumn) => Array.from({ length: column.length }, (_, place) => column.at(place));

test("holds numbers in the order of their places", () => {
  const column = new NumberColumn();
  column.insert([0, 0, 0], [5, 7, 9]);
  column.insert([0, 1, 1, 3], [4, 6, 6, 10]);
  expect(read(column)).toEqual([4, 5, 6, 6, 7, 9, 10]);
});

test("takes a byte for each as long as that is enough", () => {
  const column = new NumberColumn();
  column.insert([0, 0], [1_700_000_000_000, 1_700_000_000_255]);
  expect(column.byteLength).toBe(2);
  column.insert([2], [1_700_000_000_256]);
  expect(column.byteLength).toBeGreaterThan(2);
  expect(read(column)).toEqual([1_700_000_000_000, 1_700_000_000_255, 1_700_000_000_256]);
});

test.each([
  ["a byte", 200],
  ["two bytes", 40_000],
  ["four bytes", 3_000_000_000],
  ["eight bytes", 2 ** 50],
])("holds what comes later and is smaller, or larger by %s", (_, distance) => {
  const column = new NumberColumn();
  column.insert([0], [1_000]);
  column.insert([1], [1_000 + distance]);
  column.insert([0], [1_000 - distance]);
  expect(read(column)).toEqual([1_000 - distance, 1_000, 1_000 + distance]);
});

test("is what a list would be, whatever is put where", () => {
  let state = 7;
  const whole = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  for (let round = 0; round < 50; round++) {
    const column = new NumberColumn();
    let list: number[] = [];
    for (let step = 0; step < 12; step++) {
      const places = Array.from({ length: whole(9) }, () => whole(list.length + 1)).sort((a, b) => a - b);
      const values = places.map(() => whole(2 ** whole(32)) * whole(2 ** whole(20)) - 10);
      column.insert(places, values);
      const next: number[] = [];
      for (let place = 0; place <= list.length; place++) {
        places.forEach((wanted, index) => {
          if (wanted === place) next.push(values[index] as number);
        });
        if (place < list.length) next.push(list[place] as number);
      }
      list = next;
      expect(read(column)).toEqual(list);
    }
  }
});
