import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import type { LogKey } from "../../stores/events/logs.ts";

/** Fields with a different value for every line. */
const OWN_OF_LINE: ReadonlySet<string> = new Set(["lineId", "occurredAt"]);

/**
 * The key that lines are counted by: a key of the search by any of its names, or the name of an attribute. Null: every line would
 * be a group.
 */
export function toLogKey(key: string): LogKey | null {
  const known = findField(LOG_VOCABULARY, key);
  if (known === undefined || known.isTag) return { name: known?.fields[0] ?? key, isTag: true };
  const [field = key] = known.fields;
  if (OWN_OF_LINE.has(field)) return null;
  // Rows store projects by their id.
  return { name: field === "project" ? "projectId" : field, isTag: false };
}
