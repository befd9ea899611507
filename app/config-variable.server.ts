export type Parsed<Value> = { ok: true; value: Value } | { ok: false };

/** One variable of the environment: how it is read, and what is said about it to people. */
export interface ConfigVariable<Value> {
  default: Value;
  /** The default as the README says it. */
  defaultText: string;
  /** What a right value is, for the message about a wrong one. */
  wants: string;
  /** What it sets, with its unit; one sentence in Markdown. */
  what: string;
  /** The reason for the default. */
  why: string;
  /** Its value is never shown. */
  isSecret: boolean;
  /** Gets the trimmed text, never a blank one. */
  parse(text: string): Parsed<Value>;
}

interface Description<Value> {
  default: Value;
  defaultText?: string;
  what: string;
  why: string;
  isSecret?: boolean;
}

export function parsedVariable<Value>(
  description: Description<Value> & Pick<ConfigVariable<Value>, "wants" | "parse">,
): ConfigVariable<Value> {
  const { default: value } = description;
  return { defaultText: value === null ? "unset" : `\`${value}\``, isSecret: false, ...description };
}

export function integerVariable({ min, max, ...description }: Description<number> & { min: number; max: number }) {
  return parsedVariable({
    ...description,
    wants: `a whole number from ${min} to ${max}`,
    parse: (text) => toRange(/^\d+$/.test(text) ? Number(text) : Number.NaN, min, max),
  });
}

export function numberVariable({ min, max, ...description }: Description<number> & { min: number; max: number }) {
  return parsedVariable({
    ...description,
    wants: `a number from ${min} to ${max}`,
    parse: (text) => toRange(/^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN, min, max),
  });
}

export function booleanVariable(description: Description<boolean>) {
  const values: Record<string, boolean> = { "1": true, true: true, "0": false, false: false };
  return parsedVariable<boolean>({
    defaultText: description.default ? "`1`" : "`0`",
    ...description,
    wants: "1 or 0",
    parse: (text) => {
      const value = values[text.toLowerCase()];
      return value === undefined ? { ok: false } : { ok: true, value };
    },
  });
}

export function choiceVariable<Choice extends string>({
  choices,
  ...description
}: Description<Choice> & { choices: readonly Choice[] }) {
  return parsedVariable<Choice>({
    ...description,
    wants: `one of ${choices.join(", ")}`,
    parse: (text) => {
      const value = choices.find((choice) => choice === text.toLowerCase());
      return value === undefined ? { ok: false } : { ok: true, value };
    },
  });
}

const BYTE_UNITS: Record<string, number> = { "": 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 };

/** Bytes, plain or with a unit of powers of two: `1048576`, `1MiB`, `0.5 GiB`. */
export function bytesVariable({ min, ...description }: Description<number> & { min: number }) {
  return parsedVariable({
    defaultText: `\`${toBytesText(description.default)}\``,
    ...description,
    wants: `bytes, at least ${toBytesText(min)}, like 1048576 or 1MiB`,
    parse: (text) => {
      const [, amount = "", unit = ""] = /^(\d*\.?\d+)\s*([a-z]*)$/i.exec(text) ?? [];
      const factor = BYTE_UNITS[unit.toLowerCase()];
      return toRange(amount && factor ? Math.round(Number(amount) * factor) : Number.NaN, min, Number.MAX_SAFE_INTEGER);
    },
  });
}

function toBytesText(bytes: number): string {
  const [unit, factor] = Object.entries({ GiB: 1024 ** 3, MiB: 1024 ** 2, KiB: 1024 }).find(
    ([, size]) => bytes >= size && bytes % size === 0,
  ) ?? ["", 1];
  return `${bytes / factor}${unit}`;
}

function toRange(value: number, min: number, max: number): Parsed<number> {
  return value >= min && value <= max ? { ok: true, value } : { ok: false };
}
