import { findCookieRule, findKeyRule, findNameRule, type KeyRule, type ScrubRule } from "./find-key-rule.ts";
import type { PathScrubber } from "./path-scrubber.ts";

/** The rules by which a project's data is scrubbed. */
export interface ScrubRules {
  /** The rule for values under a key, in any spelling. Null: the key does not suggest a secret. */
  findKey(key: string): KeyRule | null;
  /** The same for a name that was cut out of a text. It does not keep the text alive. */
  findName(name: string): KeyRule | null;
  findCookie(name: string): ScrubRule | null;
  /** Whether a text or number under the key is left as it is. Only called if no rule was found. */
  isSafe(key: string): boolean;
  /** Whether texts are searched for card numbers, tokens and other secrets with a recognizable form. */
  findsShapes: boolean;
  /** Whether addresses of people are removed. */
  dropsAddresses: boolean;
  /** The rules that name places. Null: there are none. */
  paths: PathScrubber | null;
}

/** The rules of a project without settings. */
export const BUILT_IN_RULES: ScrubRules = {
  findKey: findKeyRule,
  findName: findNameRule,
  findCookie: findCookieRule,
  isSafe: () => false,
  findsShapes: true,
  dropsAddresses: false,
  paths: null,
};
