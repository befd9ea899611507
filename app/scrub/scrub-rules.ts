import { findCookieRule, findKeyRule, findNameRule, type KeyRule, type ScrubRule } from "./find-key-rule.ts";
import type { PathScrubber } from "./path-scrubber.ts";

/** By what a project's data is scrubbed. */
export interface ScrubRules {
  /** The rule for values under a key, whatever its spelling; null: the key promises nothing secret. */
  findKey(key: string): KeyRule | null;
  /** The same for a name that was cut out of a text, and must not keep the text alive. */
  findName(name: string): KeyRule | null;
  findCookie(name: string): ScrubRule | null;
  /** Whether a text or number under the key is left as it is. Asked where no rule was found. */
  isSafe(key: string): boolean;
  /** Whether card numbers, tokens and other secrets that show themselves in a text are looked for. */
  findsShapes: boolean;
  /** Whether addresses of people are left out. */
  dropsAddresses: boolean;
  /** Rules that name places; null: none. */
  paths: PathScrubber | null;
}

/** Those of a project that decided nothing. */
export const BUILT_IN_RULES: ScrubRules = {
  findKey: findKeyRule,
  findName: findNameRule,
  findCookie: findCookieRule,
  isSafe: () => false,
  findsShapes: true,
  dropsAddresses: false,
  paths: null,
};
