import type { ReactNode } from "react";

/** The options of a select: each item's value and words. Without `toOption`, an item is both. */
export function toOptions<Item>(
  items: readonly Item[],
  toOption: (item: Item, index: number) => readonly [value: string | number, words: ReactNode] = (item) => [
    String(item),
    String(item),
  ],
): ReactNode {
  return items.map((item, index) => {
    const [value, words] = toOption(item, index);
    return (
      <option key={value} value={value}>
        {words}
      </option>
    );
  });
}
