import { toKeyWords } from "../domain/privacy/key-words.ts";
import type { PrivacySettings } from "../domain/privacy/privacy-settings.ts";
import { STRUCTURAL_KEYS } from "../domain/privacy/structural-keys.ts";
import { findAddressRule } from "./find-address-rule.ts";
import { findCookieRule, findKeyRule, type KeyRule } from "./find-key-rule.ts";
import { compilePathRules } from "./path-scrubber.ts";
import type { ScrubRules } from "./scrub-rules.ts";

const OWN: KeyRule = { rule: "@own", covers: "all" };
const MAX_CACHED = 5000;
const MAX_KEY_LENGTH = 100;

/**
 * Compiles the rules. Addresses are checked first, then safe keys, then the project's own keys, then the built-in rules. An own key matches
 * if its words stand anywhere in a key. A safe key must be the whole key. Case and separators make no difference.
 */
export function compileScrubRules(settings: PrivacySettings): ScrubRules {
  const { masksData, dropsAddresses } = settings;
  const usesBuiltIn = masksData && settings.usesBuiltInRules;
  const isSensitive = masksData ? toContains(settings.sensitiveKeys) : () => false;
  const isSafe = toIsOneOf(settings.safeKeys);
  const decide = (key: string): KeyRule | null => {
    const address = dropsAddresses ? findAddressRule(key) : null;
    if (address !== null) return address;
    const short = key.length > MAX_KEY_LENGTH ? key.slice(-MAX_KEY_LENGTH) : key;
    const words = toKeyWords(short);
    if (isSafe(words)) return null;
    if (!STRUCTURAL_KEYS.has(key) && isSensitive(words)) return OWN;
    return usesBuiltIn ? findKeyRule(key) : null;
  };
  const findKey = withCache(decide);
  const isSafeKey = withCache((key) => isSafe(toKeyWords(key)));
  return {
    findKey,
    findName: (name) => findKey(copyOf(name)),
    findCookie(name) {
      const own = findKey(name);
      if (own !== null) return own.rule;
      return usesBuiltIn && !isSafeKey(name) ? findCookieRule(name) : null;
    },
    isSafe: settings.safeKeys.length === 0 ? () => false : isSafeKey,
    findsShapes: usesBuiltIn,
    dropsAddresses,
    paths: compilePathRules(settings.rules, settings.hashKey),
  };
}

/** A flat copy of the name. A name cut out of a text would keep the whole text alive in the cache. */
function copyOf(name: string): string {
  return Buffer.from(name, "utf16le").toString("utf16le");
}

function toContains(keys: readonly string[]): (words: string) => boolean {
  const wanted = keys.map(toKeyWords).filter((words) => words !== "_");
  const isSame = toIsOneOf(keys);
  return (words) => isSame(words) || wanted.some((each) => words.includes(each));
}

/** `creditcard` is `credit_card`. */
function toIsOneOf(keys: readonly string[]): (words: string) => boolean {
  const wanted = new Set(keys.map((key) => squeeze(toKeyWords(key))));
  wanted.delete("");
  return wanted.size === 0 ? () => false : (words) => wanted.has(squeeze(words));
}

function squeeze(words: string): string {
  return words.replaceAll("_", "");
}

/** Caches the results, because keys repeat. */
function withCache<Value>(decide: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    if (key.length > MAX_KEY_LENGTH) return decide(key);
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = decide(key);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(key, value);
    return value;
  };
}
