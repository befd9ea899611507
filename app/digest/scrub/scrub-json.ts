import { scrubText } from "./scrub-text.ts";
import { TreeScrubber } from "./tree-scrubber.ts";

/**
 * Replaces secrets in the payload of any item, in place where it can. `changed` says whether the payload must be written
 * again; ids of traces, spans, sessions and the like stay.
 */
export function scrubJson(value: unknown): { value: unknown; changed: boolean } {
  if (typeof value === "string") {
    const scrubbed = scrubText(value);
    return scrubbed === null ? { value, changed: false } : { value: scrubbed.text, changed: true };
  }
  const scrubber = new TreeScrubber(null);
  scrubber.scrubInside("", value);
  return { value, changed: scrubber.changed };
}
