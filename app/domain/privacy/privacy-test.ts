/** A place of events that rules would mask. */
export interface MaskedField {
  /** A path like `request.headers.X-Iban`. `*` stands for an index of a list. */
  path: string;
  /** The masked text in the newest event that has the field. Null: the field would be removed. */
  value: string | null;
  eventCount: number;
}

/** What new rules would have masked, beyond the present ones, in the newest events of a project. */
export interface PrivacyTest {
  /** The number of events that were looked at. */
  eventCount: number;
  /** Most events first. */
  fields: MaskedField[];
  /** The number of masked fields. `fields` has only the first of them. */
  fieldCount: number;
}

export const MAX_SHOWN_FIELDS = 100;
const MAX_VALUE = 120;

/** Collects the differences between events before and after scrubbing. */
export class MaskedFields {
  readonly #byPath = new Map<string, MaskedField>();
  #eventCount = 0;

  add(before: object, after: object): void {
    this.#eventCount++;
    const seen = new Set<string>();
    const walk = (old: unknown, now: unknown, path: string): void => {
      if (Object.is(old, now) || seen.has(path)) return;
      const [oldFields, newFields] = [toFields(old), toFields(now)];
      if (oldFields !== null && newFields !== null) {
        for (const [key, value] of oldFields) walk(value, newFields.get(key), joinPath(path, key));
        return;
      }
      seen.add(path);
      const field = this.#byPath.get(path);
      if (field) field.eventCount++;
      else this.#byPath.set(path, { path, value: now === undefined ? null : toShown(now), eventCount: 1 });
    };
    walk(before, after, "");
  }

  result(): PrivacyTest {
    const fields = [...this.#byPath.values()].sort((a, b) => b.eventCount - a.eventCount);
    return { eventCount: this.#eventCount, fields: fields.slice(0, MAX_SHOWN_FIELDS), fieldCount: fields.length };
  }
}

function joinPath(path: string, key: string): string {
  const part = /^\d+$/.test(key) ? "*" : key;
  return path === "" ? part : `${path}.${part}`;
}

/**
 * The parts of a value by name. Pairs of headers and tags become names, too. Null: the value has no parts. `_meta` is left out: it
 * was not sent, and only records what was masked.
 */
function toFields(value: unknown): Map<string, unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value).filter(([key]) => key !== "_meta"));
  const isPairs = value.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === "string");
  return new Map(isPairs ? value : value.map((item, index) => [String(index), item]));
}

function toShown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text;
}
