import type { Workspace } from "../../access/workspace.ts";
import { ALWAYS, type Condition, listTests } from "../../domain/search/condition.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { nameUnknownAttribute, type UnknownAttribute } from "../../domain/search/unknown-attribute.ts";
import type { LogFilter } from "../../stores/events/logs.ts";

const MAX_KEYS = 500;
/** The highest number of attributes of one search that are checked. */
const MAX_LOOKED_FOR = 5;
const BUDGET_MS = 800;

/**
 * Attributes of the search that no line in the time has. The sums do not know every key, so lines are searched, too.
 * @param budgetMs milliseconds for the search for a line with the attribute
 */
export async function findUnknownAttributes(
  workspace: Pick<Workspace, "events">,
  { where, ...place }: LogFilter & { where: Condition },
  budgetMs = BUDGET_MS,
): Promise<UnknownAttribute[]> {
  const asked = listTests(where).flatMap(({ field, isTag }) => (isTag && field !== "*" ? field : []));
  return findUnknownKeys(workspace, place, { asked: [...new Set(asked)], budgetMs });
}

/** The `asked` keys that no line in the time has. */
export async function findUnknownKeys(
  { events }: Pick<Workspace, "events">,
  { projectIds, from, to }: Pick<LogFilter, "projectIds" | "from" | "to">,
  { asked, budgetMs }: { asked: readonly string[]; budgetMs: number },
): Promise<UnknownAttribute[]> {
  if (asked.length === 0 || projectIds.length === 0) return [];
  const known = (await events.listAttributeKeys({ projectIds, signal: "logs", from, to }, MAX_KEYS)).map(
    ({ key }) => key,
  );
  const missing = asked.filter((key) => !known.includes(key)).slice(0, MAX_LOOKED_FOR);
  if (missing.length === 0) return [];
  // If there is no line at all, keys cannot be called unknown.
  if (known.length === 0) {
    const { lines } = await events.findLogs({ projectIds, from, to, where: ALWAYS }, { limit: 1, budgetMs });
    if (lines.length === 0) return [];
  }
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
