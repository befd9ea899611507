import type { IdsChange } from "../../stores/state/member-store.ts";

/** The numbers of the boxes that are checked. */
export function toIds(form: FormData, name: string): number[] {
  return form.getAll(name).map(Number).filter(Number.isSafeInteger);
}

/**
 * What a form changed about a list, which is what its boxes say against what the page showed (`${name}-before`, numbers with commas): somebody
 * else may have changed other entries since. Without that field, the boxes are all of the list.
 */
export function readIds(form: FormData, name: string): IdsChange {
  const checked = toIds(form, name);
  const before = form.get(`${name}-before`);
  if (typeof before !== "string") return checked;
  const shown = before.split(",").filter(Boolean).map(Number).filter(Number.isSafeInteger);
  return {
    add: checked.filter((id) => !shown.includes(id)),
    remove: shown.filter((id) => !checked.includes(id)),
  };
}
