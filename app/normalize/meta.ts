import type { MetaEntry, MetaTree } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import type { JsonObject } from "./json-object.ts";
import { toJsonText } from "./json-text.ts";

export type MetaErrorKind =
  | "invalid_data"
  | "missing_attribute"
  | "invalid_attribute"
  | "value_too_long"
  | "past_timestamp"
  | "future_timestamp"
  | "clock_drift";

type Key = string | number;

/** The most notes. A broken event may be broken in every leaf, and nobody reads more notes than this. */
const MAX_NOTES = 300;
/** Characters of an original value that are worth keeping beside its error. */
const MAX_VALUE_LENGTH = 200;
/** A client's own notes deeper than this, or more than this many, are left out. */
const MAX_CLIENT_DEPTH = 24;
const MAX_CLIENT_NODES = 2_000;

/**
 * Collects the problems of an event as the tree that is stored under `_meta`. The place is a stack that the walker moves with `enter` and
 * `leave`, so that an event without problems needs no allocation.
 */
export class MetaRecorder {
  #path: Key[] = [];
  #tree: MetaTree | null;
  #noteCount = 0;

  /** @param tree notes that exist already; they are kept, and added to in place. */
  constructor(tree: MetaTree | null = null) {
    this.#tree = tree;
  }

  enter(key: Key): void {
    this.#path.push(key);
  }

  leave(): void {
    this.#path.pop();
  }

  /** The value at `key` (null: at the current place) could not be used. A small original is kept. */
  invalid(key: Key | null, reason: string, original?: unknown): void {
    this.error(key, "invalid_data", { reason }, original);
  }

  error(key: Key | null, kind: MetaErrorKind, data: Record<string, unknown>, original?: unknown): void {
    const entry = this.#entry(key);
    if (!entry) return;
    entry.err ??= [];
    entry.err.push([kind, data]);
    const small = toSmallValue(original);
    if (small !== undefined) entry.val ??= small;
  }

  /** A string was cut to `maxLength` characters. */
  trimmed(key: Key | null, maxLength: number, originalLength: number): void {
    this.remark(key, "!limit", "s", maxLength - 3, maxLength, originalLength);
  }

  /** Notes that a value below `key` was left out to keep to a limit. */
  removed(key: Key | null): void {
    this.remark(key, "!limit", "x");
  }

  remark(
    key: Key | null,
    rule: string,
    type: "a" | "x" | "s" | "m" | "p" | "e",
    start?: number,
    end?: number,
    originalLength?: number,
  ): void {
    const entry = this.#entry(key);
    if (!entry) return;
    entry.rem ??= [];
    entry.rem.push(start === undefined || end === undefined ? [rule, type] : [rule, type, start, end]);
    if (originalLength !== undefined) entry.len ??= originalLength;
  }

  /** Whether anything is noted below the current place: only then is `relocate` worth preparing. */
  hasNotes(): boolean {
    return this.#tree !== null && this.#find() !== null;
  }

  /**
   * Moves the notes of children of the current place. `to` returns the new path of a child, null to forget its notes, or undefined to leave
   * them.
   */
  relocate(to: (key: string) => string[] | null | undefined): void {
    const node = this.#find();
    if (!node) return;
    const moved: Array<[path: string[], child: MetaTree | MetaEntry]> = [];
    for (const key of Object.keys(node)) {
      if (key === "") continue;
      const target = to(key);
      if (target === undefined) continue;
      const child = node[key];
      delete node[key];
      if (target !== null && child !== undefined) moved.push([target, child]);
    }
    for (const [path, child] of moved) {
      const last = path.at(-1);
      let parent = node;
      for (const key of path.slice(0, -1)) parent = childOf(parent, key);
      if (last !== undefined) parent[last] ??= child;
    }
  }

  toTree(): MetaTree | undefined {
    if (this.#tree === null) return undefined;
    for (const _ in this.#tree) return this.#tree;
    return undefined;
  }

  #find(): MetaTree | null {
    let node: MetaTree | null = this.#tree;
    for (const key of this.#path) {
      if (node === null || !Object.hasOwn(node, key)) return null;
      node = (node[key] as MetaTree | undefined) ?? null;
    }
    return node;
  }

  #entry(key: Key | null): MetaEntry | null {
    if (this.#noteCount >= MAX_NOTES) return null;
    this.#noteCount++;
    this.#tree ??= {};
    let node = this.#tree;
    for (const step of this.#path) node = childOf(node, step);
    if (key !== null) node = childOf(node, key);
    if (!Object.hasOwn(node, "")) node[""] = {};
    return node[""] as MetaEntry;
  }
}

function childOf(node: MetaTree, key: Key): MetaTree {
  // Such keys are dropped from events, so a note about one belongs to the object that had it.
  if (key === "__proto__") return node;
  // An empty key would be taken for the entry of the node itself.
  const name = key === "" ? " " : key;
  if (!Object.hasOwn(node, name)) node[name] = {};
  return node[name] as MetaTree;
}

function toSmallValue(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value.length <= MAX_VALUE_LENGTH ? value : undefined;
  if (typeof value === "number" || typeof value === "boolean") return value;
  const { text, isWhole } = toJsonText(value, MAX_VALUE_LENGTH);
  return isWhole && text.length <= MAX_VALUE_LENGTH ? text : undefined;
}

/** The `_meta` that a client sent, reduced to what the tree may contain. Null when nothing of it is usable. */
export function parseClientMeta(value: unknown): MetaTree | null {
  if (!isRecord(value)) return null;
  const budget = { nodesLeft: MAX_CLIENT_NODES };
  return parseNode(value, MAX_CLIENT_DEPTH, budget);
}

function parseNode(value: JsonObject, depthLeft: number, budget: { nodesLeft: number }): MetaTree | null {
  if (depthLeft === 0 || budget.nodesLeft-- <= 0) return null;
  const node: MetaTree = {};
  let isEmpty = true;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (key === "__proto__" || !isRecord(child)) continue;
    const parsed = key === "" ? parseEntry(child) : parseNode(child, depthLeft - 1, budget);
    if (!parsed) continue;
    node[key] = parsed;
    isEmpty = false;
  }
  return isEmpty ? null : node;
}

function parseEntry(value: JsonObject): MetaEntry | null {
  const entry: MetaEntry = {};
  if (Array.isArray(value.err)) {
    const err = value.err.slice(0, 20).filter(isMetaError);
    if (err.length > 0) entry.err = err;
  }
  if (Array.isArray(value.rem)) {
    const rem = value.rem.slice(0, 50).filter(isRemark);
    if (rem.length > 0) entry.rem = rem;
  }
  const small = toSmallValue(value.val);
  if (small !== undefined) entry.val = small;
  if (typeof value.len === "number" && value.len >= 0) entry.len = value.len;
  for (const _ in entry) return entry;
  return null;
}

function isMetaError(value: unknown): value is string | [string, Record<string, unknown>] {
  if (typeof value === "string") return value.length <= MAX_VALUE_LENGTH;
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== "string" || !isRecord(value[1])) return false;
  return toJsonText(value, MAX_VALUE_LENGTH * 2).isWhole;
}

function isRemark(value: unknown): value is [string, string, number?, number?] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 4) return false;
  const [rule, type, ...range] = value;
  return typeof rule === "string" && typeof type === "string" && range.every((at) => typeof at === "number");
}
