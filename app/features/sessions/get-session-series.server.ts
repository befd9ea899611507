import type {
  SessionCounts,
  SessionFilter,
  SessionGroup,
  Sessions,
  SessionTally,
} from "../../stores/events/sessions.ts";

/** Sessions and users of one group, over the whole range and for each bucket. */
export interface SessionSeries {
  /** Null: it was not grouped by this field. */
  projectId: number | null;
  release: string | null;
  environment: string | null;
  total: Pick<SessionCounts, "sessions" | "users">;
  /** One for each bucket, zeros included. */
  buckets: Array<Pick<SessionCounts, "sessions" | "users">>;
}

const NONE: SessionTally = { total: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };

/** In the total, each user counts once, so the sum of the buckets may be larger. */
export async function getSessionSeries(
  events: Sessions,
  filter: SessionFilter,
  { groupBy, bucketMs }: { groupBy: readonly SessionGroup[]; bucketMs: number },
): Promise<SessionSeries[]> {
  const [totals, counts] = await Promise.all([
    events.countSessions(filter, { groupBy, bucketMs: null }),
    events.countSessions(filter, { groupBy, bucketMs }),
  ]);
  const bucketCount = Math.ceil((filter.to - filter.from) / bucketMs);
  const byGroup = Map.groupBy(counts, toKey);
  return totals.map((group) => {
    const buckets: SessionSeries["buckets"] = Array.from({ length: bucketCount }, () => ({
      sessions: NONE,
      users: NONE,
    }));
    for (const { at, sessions, users } of byGroup.get(toKey(group)) ?? []) {
      buckets[Math.floor(((at ?? filter.from) - filter.from) / bucketMs)] = { sessions, users };
    }
    const { projectId, release, environment, sessions, users } = group;
    return { projectId, release, environment, total: { sessions, users }, buckets };
  });
}

function toKey({ projectId, release, environment }: SessionCounts): string {
  return JSON.stringify([projectId, release, environment]);
}

/** The share of sessions without a crash; null: no session began. */
export function crashFreeRate({ total, crashed }: SessionTally): number | null {
  return total === 0 ? null : Math.max(0, 1 - crashed / total);
}
