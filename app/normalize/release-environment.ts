import { cleanReleaseVersion, MAX_RELEASE_LENGTH } from "../domain/release-version.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { LIMITS } from "./trimming.ts";

interface NameRule {
  /** Whether the name is allowed. It is trimmed and not empty. */
  isAllowed(name: string): boolean;
  reason: string;
}

const RELEASE: NameRule = {
  isAllowed: (name) => cleanReleaseVersion(name) !== null,
  reason: `expected a release: up to ${MAX_RELEASE_LENGTH} characters without slash or line break, not "latest"`,
};
const ENVIRONMENT: NameRule = {
  isAllowed: (name) =>
    name.length <= LIMITS.environment && /^[^/\n\r\t\f]+$/.test(name) && !/^(?:\.{1,2}|none)$/i.test(name),
  reason: `expected an environment: up to ${LIMITS.environment} characters without slash or line break, not "none"`,
};
const DIST: NameRule = {
  isAllowed: (name) => name.length <= LIMITS.dist && /^[a-zA-Z0-9_.-]+$/.test(name),
  reason: `expected a dist: up to ${LIMITS.dist} of the characters a-z, A-Z, 0-9, "_", "." and "-"`,
};

/** Undefined when it is missing or invalid. Only an invalid one is noted. */
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
  if (name !== undefined && rule.isAllowed(name)) return name;
  meta.invalid(key, rule.reason, value);
  return undefined;
}
