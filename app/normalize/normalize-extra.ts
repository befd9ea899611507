import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { lastTreeSize, TREE_LIMITS, trimObject, trimTree } from "./trimming.ts";

/** Null when there is none. The place of `meta` is the event. */
export function normalizeExtra(value: unknown, meta: MetaRecorder): JsonObject | null {
  if (isNoObject(value) || value === "") return null;
  const extra = isRecord(value) ? value : { value };
  return trimEach(extra, "extra", meta);
}

/** Trims each value to its own limit, and all of them to a common one. */
export function trimEach(object: JsonObject, field: string | null, meta: MetaRecorder): JsonObject | null {
  if (field !== null) meta.enter(field);
  let left: number = TREE_LIMITS.extraTotal;
  for (const key in object) {
    if (left <= 0 || key === "__proto__") {
      delete object[key];
      meta.removed(null);
      continue;
    }
    const before = object[key];
    left -= key.length + 4;
    if (typeof before === "object" && before !== null) {
      const after = trimTree(before, TREE_LIMITS.extra, meta, key);
      left -= lastTreeSize(TREE_LIMITS.extra);
      if (after !== before) object[key] = after;
    } else if (typeof before === "string") {
      if (before.length > TREE_LIMITS.extra.maxSize) object[key] = trimTree(before, TREE_LIMITS.extra, meta, key);
      left -= Math.min(before.length, TREE_LIMITS.extra.maxSize);
    } else if (typeof before === "bigint") object[key] = String(before);
  }
  if (field !== null) meta.leave();
  for (const _ in object) return object;
  return null;
}

/** Names and versions of installed modules. Null when there are none. The place of `meta` is the event. */
export function normalizeModules(value: unknown, meta: MetaRecorder): Record<string, string> | null {
  if (isNoObject(value)) return null;
  const modules = Array.isArray(value) ? toModules(value) : value;
  if (!isRecord(modules)) {
    meta.invalid("modules", "expected an object", value);
    return null;
  }
  for (const name in modules) {
    const version = modules[name];
    if (typeof version !== "string") modules[name] = toLenientString(version) ?? "";
  }
  // Every value is text now.
  return trimObject(modules, TREE_LIMITS.modules, meta, "modules") as Record<string, string> | null;
}

function toModules(list: unknown[]): JsonObject {
  const modules: JsonObject = {};
  for (const entry of list) {
    if (typeof entry === "string" && entry !== "__proto__") modules[entry] = "";
    else if (isRecord(entry) && typeof entry.name === "string" && entry.name !== "__proto__") {
      modules[entry.name] = entry.version;
    }
  }
  return modules;
}
