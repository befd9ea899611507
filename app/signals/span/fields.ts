import { setField } from "../../domain/set-field.ts";
import type { Json } from "../item-summary.ts";

/** The fields of an object while columns are made of them. Fields that no column took are the rest. */
export class Fields {
  readonly #value: Json;
  /** There are at most a dozen keys, so searching a list is cheaper than making a set for each span. */
  readonly #taken: string[] = [];

  constructor(value: Json) {
    this.#value = value;
  }

  /** Null leaves the field in the rest. */
  take<Result>(key: string, read: (value: unknown) => Result | null): Result | null {
    const value = Object.hasOwn(this.#value, key) ? this.#value[key] : undefined;
    if (value === undefined) return null;
    const result = read(value);
    if (result !== null || value === null) this.#taken.push(key);
    return result;
  }

  /** A text of up to `maxLength`. Of a longer one the column gets the beginning, and the whole is in the rest. */
  takeText(key: string, maxLength: number): string | null {
    const text = this.take(key, (value) => (typeof value === "string" && value.length <= maxLength ? value : null));
    if (text !== null) return text;
    const value = this.#value[key];
    return typeof value === "string" ? value.slice(0, maxLength).toWellFormed() : null;
  }

  /** The fields that were not taken. */
  rest(): Json {
    const rest: Json = {};
    for (const key in this.#value) if (!this.#taken.includes(key)) setField(rest, key, this.#value[key]);
    return rest;
  }
}

/** Null for an object without fields. */
export function toJsonText(value: Json): string | null {
  for (const _ in value) return JSON.stringify(value);
  return null;
}
