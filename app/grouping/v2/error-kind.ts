import type { SentryException } from "../../domain/event.ts";
import type { ErrorKind } from "../v1/rules.ts";

/**
 * Errors that say themselves which they are. Minified frameworks write a number and an address with the arguments: the number
 * is the error. A part of the app that could not be loaded has a file's name that changes with each build.
 */
export function kindOf({ type, value }: SentryException): ErrorKind | null {
  if (type === "ChunkLoadError") return NOT_LOADED;
  if (value === undefined || value === "") return null;
  if (PART_NOT_LOADED.test(value)) return NOT_LOADED;
  const number = frameworkError(value);
  return number === null ? null : { words: number, isAlone: false };
}

const NOT_LOADED: ErrorKind = { words: "a part of the app could not be loaded", isAlone: true };
const PART_NOT_LOADED =
  /^(?:Loading (?:CSS )?chunk [\w./@~-]{1,200} failed|(?:Failed to fetch|error loading) dynamically imported module|Importing a module script failed)/;

/** `Minified React error #418`, `NG0100`, `Vue runtime-15`. */
function frameworkError(value: string): string | null {
  if (value.startsWith("Minified React error #")) return /^Minified React error #\d{1,5}/.exec(value)?.[0] ?? null;
  if (value.startsWith("NG0")) return /^NG0-?\d{1,5}(?=\W|$)/.exec(value)?.[0] ?? null;
  const at = value.indexOf("vuejs.org/error-reference/#");
  if (at < 0) return null;
  const reference = /^[\w-]{1,40}/.exec(value.slice(at + "vuejs.org/error-reference/#".length))?.[0];
  return reference === undefined ? null : `Vue ${reference}`;
}
