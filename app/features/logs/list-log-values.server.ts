import type { Workspace } from "../../access/workspace.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import { DAY_MS } from "../../domain/time.ts";
import {
  chooseProjects,
  isTooLong,
  MAX_VALUES,
  rankByLetters,
  type SearchValues,
  type ValueRequest,
} from "../search/list-search-values.server.ts";

/** Keys and values of the last days are offered. */
const LOOKED_AT_MS = 14 * DAY_MS;
const MAX_KEYS = 200;
const MAX_COUNTED = 1_000;

/** Attributes of log lines (`key` null), or values of a field or an attribute, with the lines that have them, the most frequent first. */
export async function listLogValues(
  workspace: Pick<Workspace, "events" | "state" | "scope">,
  { key, text, slugs, now }: Omit<ValueRequest, "issueId"> & { now: number },
): Promise<SearchValues> {
  if (isTooLong(key, text)) return { values: [], isAll: true };
  const { projectIds } = await chooseProjects(workspace, slugs);
  const filter = { projectIds, signal: "logs" as const, from: now - LOOKED_AT_MS, to: now };
  if (key === null) {
    const keys = await workspace.events.listAttributeKeys(filter, MAX_KEYS);
    const others = keys.filter((each) => findField(LOG_VOCABULARY, each.key) === undefined);
    return toAnswer(
      others.map((each) => ({ value: each.key, count: each.count })),
      { text, limit: MAX_KEYS },
    );
  }
  const field = findField(LOG_VOCABULARY, key);
  // The sums call a field by one of its names.
  const names = field ? [field.key, ...(field.aliases ?? [])] : [key];
  const lists = await Promise.all(
    names.map((name) => workspace.events.listAttributeValues({ ...filter, key: name }, MAX_COUNTED)),
  );
  return toAnswer(lists.find((list) => list.length > 0) ?? [], { text, limit: MAX_VALUES });
}

function toAnswer(
  counted: ReadonlyArray<{ value: string; count: number }>,
  { text, limit }: { text: string; limit: number },
): SearchValues {
  const matching = rankByLetters(counted, text);
  return {
    values: matching.slice(0, limit).map(({ value, count }) => ({ value, share: null, lines: count })),
    isAll: matching.length <= limit && counted.length < MAX_COUNTED,
  };
}
