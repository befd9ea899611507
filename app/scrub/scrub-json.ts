import { BUILT_IN_RULES, type ScrubRules } from "./scrub-rules.ts";
import { scrubText } from "./scrub-text.ts";
import { TreeScrubber } from "./tree-scrubber.ts";

/**
 * Replaces secrets in the payload of any item, in place where it can. `changed` says whether the payload must be written
 * again; ids of traces, spans, sessions and the like stay.
 */
export function scrubJson(value: unknown, rules: ScrubRules = BUILT_IN_RULES): { value: unknown; changed: boolean } {
  if (typeof value === "string") {
    const scrubbed = scrubText(value, rules);
    return scrubbed === null ? { value, changed: false } : { value: scrubbed.text, changed: true };
  }
  const scrubber = new TreeScrubber(null, rules);
  scrubber.scrubInside("", value);
  const ruled = rules.paths !== null && typeof value === "object" && value !== null ? rules.paths.scrub(value) : [];
  return { value, changed: scrubber.changed || ruled.length > 0 };
}
