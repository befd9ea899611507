import type { Breadcrumb } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { parseTimestampSeconds } from "../protocol/timestamps.ts";
import type { JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { parseLevel } from "./normalize-level.ts";
import { isBefore1970, shiftSeconds } from "./normalize-timestamps.ts";
import { keepEntries, toValueList } from "./object-list.ts";
import { LIMITS, TREE_LIMITS } from "./trimming.ts";

const BREADCRUMB_RULES = createFieldRules({
  timestamp: OWN,
  type: text(LIMITS.tagValue),
  category: text(LIMITS.tagValue),
  message: text(LIMITS.message),
  data: object(TREE_LIMITS.breadcrumbData),
  level: OWN,
  event_id: OWN,
  origin: text(LIMITS.tagValue),
});

/** The newest 100, in the order they came. Null when there are none. The place of `meta` is the event. */
export function normalizeBreadcrumbs(value: unknown, shift: number, meta: MetaRecorder): Breadcrumb[] | null {
  const list = toValueList(value, meta, "breadcrumbs");
  if (list === null) return null;
  meta.enter("breadcrumbs");
  meta.enter("values");
  keepEntries(list, isUsable, LIMITS.breadcrumbs, meta);
  for (let index = 0; index < list.length; index++) {
    const entry = list[index];
    const breadcrumb: JsonObject = isRecord(entry) ? entry : { message: entry };
    if (breadcrumb !== entry) list[index] = breadcrumb;
    meta.enter(index);
    normalizeBreadcrumb(breadcrumb, shift, meta);
    meta.leave();
  }
  meta.leave();
  meta.leave();
  // Narrowed field by field above.
  return list.length === 0 ? null : (list as Breadcrumb[]);
}

function isUsable(entry: unknown): boolean {
  if (typeof entry === "string") return entry !== "";
  return isRecord(entry) && !isBefore1970(entry.timestamp);
}

function normalizeBreadcrumb(breadcrumb: JsonObject, shift: number, meta: MetaRecorder): void {
  normalizeFields(breadcrumb, BREADCRUMB_RULES, meta);
  const { timestamp, level, event_id: eventId } = breadcrumb;
  if (timestamp !== undefined) {
    const seconds = parseTimestampSeconds(timestamp);
    if (seconds === null && timestamp !== null) meta.invalid("timestamp", "expected a timestamp", timestamp);
    breadcrumb.timestamp = seconds === null ? undefined : shiftSeconds(seconds, shift);
  }
  if (level !== "info" && level !== "error") {
    const known = parseLevel(level);
    if (known === null && level !== undefined && level !== null && level !== "") {
      meta.invalid("level", "expected a level", level);
    }
    breadcrumb.level = known ?? "info";
  }
  breadcrumb.type ??= "default";
  if (eventId !== undefined) breadcrumb.event_id = normalizeEventId(eventId) ?? undefined;
}
