import type { Priority } from "../../../domain/issues/priority.ts";

/** The stored numbers of priorities. */
export const PRIORITY_RANKS = { high: 3, medium: 2, low: 1 } as const satisfies Record<Priority, number>;

const OFTEN = "(i.event_count * 86400000 >= 100 * max(86400000, i.last_seen_at - i.first_seen_at))";

/** SQL of the rank of `issues AS i`: the set priority, or else that of `computePriority`. */
const RANK = `coalesce(i.set_priority, CASE i.level
    WHEN 'fatal' THEN 3
    WHEN 'error' THEN 2 + ${OFTEN}
    WHEN 'warning' THEN 1 + ${OFTEN}
    ELSE 1 END)`;

export const PRIORITY = `CASE ${RANK} WHEN 3 THEN 'high' WHEN 2 THEN 'medium' ELSE 'low' END`;

/** SQL of the sort key by priority; within a priority, the latest event comes first. The index `issues_by_priority` has it. */
export const PRIORITY_KEY = `(${RANK} * 10000000000000 + i.last_seen_at)`;

export function toPriority(rank: number | null): Priority | null {
  if (rank === null) return null;
  return rank >= 3 ? "high" : rank === 2 ? "medium" : "low";
}
