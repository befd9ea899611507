import { createConcurrencyLimit } from "../domain/concurrency-limit.ts";
import type { NamedUser, UserData } from "../domain/named-user.ts";
import { findUserEvents, findUserItems, type UserRowStores } from "../jobs/deletions/user-rows.ts";
import { UserMatcher } from "../signals/names-user.ts";
import type { EventStore } from "../stores/events/event-store.ts";

/** The number of requests that may wait. Further ones are refused. */
const MAX_WAITING = 3;

interface Stores extends UserRowStores {
  events: Pick<EventStore, "deletion">;
}

/**
 * Creates the function that finds the data that a deletion would delete. It answers one request at a time, within a time limit. The answer
 * is null when too many requests wait.
 */
export function createUserDataFinder(
  stores: Stores,
  { limitMs, now }: { limitMs: number; now: () => number },
): (user: NamedUser, projectIds: readonly number[]) => Promise<UserData | null> {
  const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: MAX_WAITING });
  return async (user, projectIds) => {
    const leave = await limit.enter();
    if (leave === null) return null;
    try {
      return await findUserData(stores, { user, projectIds, limitMs, upTo: now() });
    } finally {
      leave();
    }
  };
}

async function findUserData(
  stores: Stores,
  {
    user,
    projectIds,
    limitMs,
    upTo,
  }: { user: NamedUser; projectIds: readonly number[]; limitMs: number; upTo: number },
): Promise<UserData> {
  const matcher = new UserMatcher(user);
  const { deletion } = stores.events;
  const { userKeys, ignoresCase, sessionUserIds, named } = matcher;
  const counted = await deletion.countOfUser({ projectIds, userKeys, ignoresCase, sessionUserIds, named, upTo });
  const counts = new Map(counted.map((count) => [count.projectId, { ...count }]));
  const add = (projectId: number, what: "events" | "items") => {
    const count = counts.get(projectId) ?? { projectId, events: 0, items: 0 };
    count[what]++;
    counts.set(projectId, count);
  };
  const seen = new Set<string>();
  const addItems = (items: ReadonlyArray<{ projectId: number; key: string }>) => {
    for (const { projectId, key } of items) {
      const place = `${projectId} ${key}`;
      if (!seen.has(place)) add(projectId, "items");
      seen.add(place);
    }
  };
  const rows = await deletion.countRows({ projectIds, upTo });
  const totalRows = (user.field === "id" ? 0 : rows.events) + rows.items;
  const endsAt = performance.now() + limitMs;
  let readRows = 0;
  const scan = { projectIds, upTo, sequences: null };
  for (let after: number | null = user.field === "id" ? null : -1; after !== null && performance.now() < endsAt; ) {
    const step = await findUserEvents(stores, matcher, { ...scan, after });
    // Events with the user's key are counted already.
    const uncounted = step.rows.filter(
      ({ userKey }) => userKey === null || !userKeys.includes(ignoresCase ? userKey.toLowerCase() : userKey),
    );
    for (const { projectId } of uncounted) add(projectId, "events");
    if (uncounted.length > 0) addItems(await deletion.listItemsOf(uncounted, upTo));
    readRows += step.readCount;
    after = step.upTo;
  }
  for (let after: number | null = -1; after !== null && performance.now() < endsAt; ) {
    const step = await findUserItems(stores, matcher, { ...scan, after });
    addItems(step.rows);
    readRows += step.readCount;
    after = step.upTo;
  }
  return { projects: [...counts.values()], readRows: Math.min(readRows, totalRows), totalRows };
}
