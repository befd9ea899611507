import type { Workspace } from "../../access/workspace.ts";
import { type Condition, listTests } from "../../domain/search/condition.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findNearestKey } from "../../domain/search/nearest-key.ts";
import type { LogFilter } from "../../stores/events/logs.ts";

const MAX_KEYS = 500;
const KEYS = LOG_VOCABULARY.fields.flatMap(({ key, aliases = [] }) => [key, ...aliases]);
/** Attributes of one search that are looked for. */
const MAX_LOOKED_FOR = 5;
const BUDGET_MS = 800;

/**
 * A sentence for each attribute of the search that no line of the time has. The sums do not know every key: it is looked for, too.
 *
 * @param budgetMs how long a line that has it is looked for; without an answer by then, nothing is said
 */
export async function findUnknownAttributes(
  { events }: Pick<Workspace, "events">,
  { where, projectIds, from, to }: LogFilter & { where: Condition },
  budgetMs = BUDGET_MS,
): Promise<string[]> {
  const asked = new Set(listTests(where).flatMap(({ field, isTag }) => (isTag && field !== "*" ? field : [])));
  if (asked.size === 0 || projectIds.length === 0) return [];
  const known = (await events.listAttributeKeys({ projectIds, signal: "logs", from, to }, MAX_KEYS)).map(
    ({ key }) => key,
  );
  const missing = [...asked].filter((key) => !known.includes(key)).slice(0, MAX_LOOKED_FOR);
  const sentences = await Promise.all(
    missing.map(async (field) => {
      const exists: Condition = { kind: "test", field, isTag: true, isNegated: false, test: { kind: "exists" } };
      const range = { projectIds, from, to, where: exists };
      const { lines, next } = await events.findLogs(range, { limit: 1, budgetMs });
      if (lines.length > 0 || next !== null) return [];
      const nearest = findNearestKey(field, [...KEYS, ...known]);
      return [
        `No log of this time has the attribute “${field}”.${nearest === null ? "" : ` The nearest is “${nearest}”.`}`,
      ];
    }),
  );
  return sentences.flat();
}
