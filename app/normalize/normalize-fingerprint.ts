import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { LIMITS, trimText } from "./trimming.ts";

/** Our own limit: more parts are useless. */
const MAX_PARTS = 100;

/** Undefined when the default is meant. The place of `meta` is the event. */
export function normalizeFingerprint(value: unknown, meta: MetaRecorder): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const parts: string[] = [];
  meta.enter("fingerprint");
  for (let index = 0; index < list.length; index++) {
    const part = list[index];
    if (part === null || part === undefined) continue;
    const text = toLenientString(part);
    if (text === null) meta.invalid(index, "expected text", part);
    else if (text.trim() !== "" && parts.length < MAX_PARTS) parts.push(trimText(text, LIMITS.otherText, meta, index));
  }
  meta.leave();
  return parts.length === 0 ? undefined : parts;
}
