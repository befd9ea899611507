import type { SentryEvent } from "../../domain/event.ts";
import { resolveFingerprint } from "../v1/fingerprint.ts";
import type { GroupingRules } from "../v1/rules.ts";

/** Characters of a value that count: values that only differ later are the same. */
const MAX_VALUE_CHARS = 200;

/** The value of a split's variable in an event. Ids and numbers in messages and paths are replaced. Null: it has none. */
export function splitValueOf(event: SentryEvent, variable: string, version: GroupingRules): string | null {
  const value = readValue(event, variable, version)?.replace(/\s+/g, " ").trim() ?? "";
  return value === "" ? null : value.slice(0, MAX_VALUE_CHARS).toWellFormed();
}

function readValue(event: SentryEvent, variable: string, version: GroupingRules): string | null {
  if (variable.startsWith("tags.")) {
    const key = variable.slice("tags.".length);
    return event.tags?.find(([tag]) => tag === key)?.[1] ?? null;
  }
  switch (variable) {
    case "release.package":
      return event.release?.includes("@") ? event.release.slice(0, event.release.lastIndexOf("@")) : null;
    case "release":
      return event.release ?? null;
    case "environment":
      return event.environment ?? null;
    case "transaction":
      return event.transaction ?? null;
    case "logger":
      return event.logger ?? null;
    case "level":
      return event.level;
    case "url.path":
      return pathOf(event.request?.url, version);
    default:
      return resolve(event, variable, version);
  }
}

/** Resolves a variable as in a fingerprint. A missing value becomes `<no-…>`. */
function resolve(event: SentryEvent, variable: string, version: GroupingRules): string | null {
  const template = `{{ ${variable} }}`;
  const value = resolveFingerprint({ ...event, fingerprint: [template] }, version)?.entries[0]?.value ?? "";
  return /^<(?:no|unrecognized-variable)-[\w.-]+>$/.test(value) ? null : value;
}

function pathOf(url: string | undefined, { parameterizeMessage }: GroupingRules): string | null {
  if (url === undefined) return null;
  const path = url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  return path === "" ? "/" : parameterizeMessage(path);
}
