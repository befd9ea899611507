import type { IdsChange } from "../../stores/state/member-store.ts";

/** The ids of the checked boxes. */
export function toIds(form: FormData, name: string): number[] {
  return form.getAll(name).map(Number).filter(Number.isSafeInteger);
}

/**
 * What a form changes in a list: the difference between its boxes and what the page showed (`${name}-before`, ids with commas),
 * because somebody else may have changed other entries since. Without that field, the checked boxes are the whole list.
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
