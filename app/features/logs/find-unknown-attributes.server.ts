import type { Workspace } from "../../access/workspace.ts";
import { type Condition, listTests } from "../../domain/search/condition.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { nameUnknownAttribute, type UnknownAttribute } from "../../domain/search/unknown-attribute.ts";
import type { LogFilter } from "../../stores/events/logs.ts";

const MAX_KEYS = 500;
/** Attributes of one search that are looked for. */
const MAX_LOOKED_FOR = 5;
const BUDGET_MS = 800;

/**
 * Attributes of the search that no line of the time has. The sums do not know every key: it is looked for, too.
 *
 * @param budgetMs how long a line that has it is looked for
 */
export async function findUnknownAttributes(
  { events }: Pick<Workspace, "events">,
  { where, projectIds, from, to }: LogFilter & { where: Condition },
  budgetMs = BUDGET_MS,
): Promise<UnknownAttribute[]> {
  const asked = new Set(listTests(where).flatMap(({ field, isTag }) => (isTag && field !== "*" ? field : [])));
  if (asked.size === 0 || projectIds.length === 0) return [];
  const known = (await events.listAttributeKeys({ projectIds, signal: "logs", from, to }, MAX_KEYS)).map(
    ({ key }) => key,
  );
  const missing = [...asked].filter((key) => !known.includes(key)).slice(0, MAX_LOOKED_FOR);
  const unknown = await Promise.all(
    missing.map(async (field) => {
      const exists: Condition = { kind: "test", field, isTag: true, isNegated: false, test: { kind: "exists" } };
      const range = { projectIds, from, to, where: exists };
      const { lines, readUpTo } = await events.findLogs(range, { limit: 1, budgetMs });
      if (lines.length > 0) return [];
      return [nameUnknownAttribute(field, { rows: "log", since: readUpTo, vocabulary: LOG_VOCABULARY, known })];
    }),
  );
  return unknown.flat();
}
