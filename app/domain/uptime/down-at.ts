/** How many places must find an address down before it counts as down: a number, more than half, or all. */
export const DOWN_AT = ["most", "all", 1, 2, 3] as const;
export type DownAt = (typeof DOWN_AT)[number];

export function readDownAt(text: string): DownAt | null {
  return DOWN_AT.find((each) => String(each) === text) ?? null;
}
