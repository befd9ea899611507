import { isRecord } from "../domain/is-record.ts";
import type { JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";

/**
 * The list inside `{ values: [...] }`, a bare list, or a single thing standing for a list of one. Notes of the client
 * about it are carried to where its entries will be: under `values`. Null when there is nothing.
 */
export function toValueList(value: unknown, meta: MetaRecorder, field: string): unknown[] | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    relocateBelow(meta, field, (key) => ["values", key]);
    return value;
  }
  if (isRecord(value)) {
    if ("values" in value) {
      const { values } = value;
      if (Array.isArray(values)) return values;
      if (values === null || values === undefined) return null;
      if (isRecord(values)) return toNumberedList(values);
    } else {
      for (const _ in value) {
        relocateBelow(meta, field, (key) => ["values", "0", key]);
        return [value];
      }
      return null;
    }
  } else if (typeof value === "string" && value !== "") return [value];
  meta.invalid(field, "expected a list", value);
  return null;
}

/** PHP writes a list with a gap as an object with numbers for keys. */
function toNumberedList(values: JsonObject): unknown[] {
  for (const key in values) if (!/^\d+$/.test(key)) return [values];
  return Object.values(values);
}

/**
 * Keeps `maxCount` of the entries that `isKept` accepts, in place, and moves the client's notes with them: the last ones, and
 * of the first ones `firstCount`. The place of `meta` is the list.
 */
export function keepEntries(
  list: unknown[],
  isKept: (entry: unknown) => boolean,
  maxCount: number,
  meta: MetaRecorder,
  firstCount = 0,
): void {
  let isWhole = list.length <= maxCount;
  for (let index = 0; isWhole && index < list.length; index++) isWhole = isKept(list[index]);
  if (isWhole) return;
  const keptFrom: number[] = [];
  for (let index = 0; index < list.length; index++) if (isKept(list[index])) keptFrom.push(index);
  const tooMany = keptFrom.length - maxCount;
  if (tooMany > 0) keptFrom.splice(firstCount, tooMany);
  for (let index = 0; index < keptFrom.length; index++) list[index] = list[keptFrom[index] ?? 0];
  list.length = keptFrom.length;
  if (meta.hasNotes()) {
    const newIndex = new Map(keptFrom.map((from, to) => [String(from), [String(to)]]));
    meta.relocate((key) => newIndex.get(key) ?? null);
  }
  if (tooMany > 0) meta.removed(null);
}

function relocateBelow(meta: MetaRecorder, field: string, to: (key: string) => string[]): void {
  meta.enter(field);
  if (meta.hasNotes()) meta.relocate(to);
  meta.leave();
}
