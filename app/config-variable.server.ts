import { closeSync, openSync, readSync } from "node:fs";

export type Parsed<Value> = { ok: true; value: Value } | { ok: false };

/** An environment variable: how to read it, and texts about it for people. */
export interface ConfigVariable<Value> {
  default: Value;
  /** The default, as docs/configuration.md shows it. */
  defaultText: string;
  /** The form of a valid value, for the message about an invalid one. */
  wants: string;
  /** The setting with its unit, as one sentence in Markdown. */
  what: string;
  /** The reason for the default. */
  why: string;
  /** True: its value is never shown. */
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

/** Larger than any secret. Somebody may name the wrong file, or a device that never ends. */
const MAX_SECRET_FILE_BYTES = 64 * 1024;

/** Whether there is a variable that names a file with the value, as Docker, Kubernetes and systemd hand secrets over. */
export function hasFileForm(variable: ConfigVariable<unknown>): boolean {
  return variable.isSecret;
}

/**
 * The trimmed text of a variable, from the environment or from the file that `<name>_FILE` names; blank when neither is set.
 * A problem is a sentence that names the variable, and the file if there is one, but no secret.
 */
export function readVariableText(
  name: string,
  variable: ConfigVariable<unknown>,
  env: Readonly<Record<string, string | undefined>>,
): { text: string; source: string } | { problem: string } {
  const text = env[name]?.trim() ?? "";
  const fileName = `${name}_FILE`;
  const path = hasFileForm(variable) ? (env[fileName]?.trim() ?? "") : "";
  if (path === "") return { text, source: name };
  if (text !== "") return { problem: `${name} and ${fileName} are both set: set one of them` };
  const source = `${fileName} names ${path}, and the file`;
  let bytes: Buffer;
  try {
    bytes = readAtMost(path, MAX_SECRET_FILE_BYTES + 1);
  } catch (error) {
    return { problem: `${source} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (bytes.length > MAX_SECRET_FILE_BYTES)
    return { problem: `${source} is larger than ${MAX_SECRET_FILE_BYTES / 1024} KiB` };
  const content = bytes.toString("utf8").trim();
  return content === "" ? { problem: `${source} is empty` } : { text: content, source };
}

function readAtMost(path: string, maxBytes: number): Buffer {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(maxBytes);
    let length = 0;
    for (let read = -1; read !== 0 && length < maxBytes; length += read) {
      read = readSync(file, buffer, length, maxBytes - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
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

/** Like `bytesVariable`, with null if it is not set. */
export function optionalBytesVariable({
  min,
  ...description
}: Omit<Description<number | null>, "default"> & { min: number }): ConfigVariable<number | null> {
  const { wants, parse } = bytesVariable({ ...description, default: min, min });
  return parsedVariable<number | null>({ ...description, default: null, wants, parse });
}

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
