import type { IdsChange } from "../../state/member-store.ts";

/** The list after the change. Call it in the write transaction that has read the list. */
export function changeIds(list: readonly number[], change: IdsChange): readonly number[] {
  if (!("add" in change)) return change;
  return [...list.filter((id) => !change.remove.includes(id)), ...change.add];
}
