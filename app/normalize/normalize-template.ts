import type { SentryEvent } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { isNoObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, normalizeFields, text } from "./normalize-fields.ts";
import { LIMITS } from "./trimming.ts";

const TEMPLATE_RULES = createFieldRules({
  filename: text(LIMITS.frameText),
  abs_path: text(LIMITS.url),
  lineno: { kind: "position" },
  context_line: { kind: "message", maxLength: LIMITS.frameText },
  pre_context: { kind: "lines" },
  post_context: { kind: "lines" },
});

/** The place in a page template that failed. Null when there is none. `meta` is that of the event. */
export function normalizeTemplate(value: unknown, meta: MetaRecorder): SentryEvent["template"] | null {
  if (isNoObject(value)) return null;
  if (!isRecord(value)) {
    meta.invalid("template", "expected an object", value);
    return null;
  }
  meta.enter("template");
  normalizeFields(value, TEMPLATE_RULES, meta);
  meta.leave();
  return value;
}
