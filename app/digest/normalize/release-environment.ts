import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { LIMITS } from "./trimming.ts";

interface NameRule {
  maxLength: number;
  /** What the whole name must match. */
  pattern: RegExp;
  reserved: RegExp | null;
  reason: string;
}

const RELEASE: NameRule = {
  maxLength: LIMITS.release,
  pattern: /^[^/\n\r\t\f]+$/,
  reserved: /^(?:\.{1,2}|latest)$/i,
  reason: `expected a release: up to ${LIMITS.release} characters without slash or line break, not "latest"`,
};
const ENVIRONMENT: NameRule = {
  maxLength: LIMITS.environment,
  pattern: /^[^/\n\r\t\f]+$/,
  reserved: /^(?:\.{1,2}|none)$/i,
  reason: `expected an environment: up to ${LIMITS.environment} characters without slash or line break, not "none"`,
};
const DIST: NameRule = {
  maxLength: LIMITS.dist,
  pattern: /^[a-zA-Z0-9_.-]+$/,
  reserved: null,
  reason: `expected a dist: up to ${LIMITS.dist} of the characters a-z, A-Z, 0-9, "_", "." and "-"`,
};

/** Undefined when there is none, or none that may be one. Only the second is noted. */
export function normalizeRelease(value: unknown, meta: MetaRecorder): string | undefined {
  return normalizeName(value, RELEASE, meta, "release");
}

export function normalizeEnvironment(value: unknown, meta: MetaRecorder): string | undefined {
  return normalizeName(value, ENVIRONMENT, meta, "environment");
}

export function normalizeDist(value: unknown, meta: MetaRecorder): string | undefined {
  return normalizeName(value, DIST, meta, "dist");
}

function normalizeName(value: unknown, rule: NameRule, meta: MetaRecorder, key: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const name = toLenientString(value)?.trim();
  if (name === "") return undefined;
  if (
    name !== undefined &&
    name.length <= rule.maxLength &&
    rule.pattern.test(name) &&
    (rule.reserved === null || !rule.reserved.test(name))
  ) {
    return name;
  }
  meta.invalid(key, rule.reason, value);
  return undefined;
}
