import { expect, test } from "vitest";
import { selectNth } from "./select-nth.ts";

test.each([
  ["random", (index: number) => (index * 7_919) % 1_009],
  ["ascending", (index: number) => index],
  ["descending", (index: number) => -index],
  ["all the same", () => 4],
  ["two values", (index: number) => index % 2],
])("gives what sorting gives: %s", (_, valueAt) => {
  for (const length of [1, 2, 3, 10, 257]) {
    const sorted = Float64Array.from({ length }, (__, index) => valueAt(index)).sort();
    for (let index = 0; index < length; index++) {
      const values = Float64Array.from({ length }, (__, at) => valueAt(at));
      expect(selectNth(values, index)).toBe(sorted[index]);
    }
  }
});
