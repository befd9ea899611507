import { LRUCache } from "lru-cache";

/** Undo stands on the page that deleted: soon, or not at all. */
const kept = new LRUCache<string, readonly number[]>({ max: 1_000 });

const toKey = (userId: number, viewId: number) => `${userId} ${viewId}`;

/** Others whose list began with a view that its owner has deleted: Undo gives it back to them. A restart forgets them. */
export function keepDefaults(userId: number, viewId: number, defaultOf: readonly number[]): void {
  if (defaultOf.length > 0) kept.set(toKey(userId, viewId), defaultOf);
}

/** Once. */
export function takeDefaults(userId: number, viewId: number): readonly number[] {
  const defaultOf = kept.get(toKey(userId, viewId)) ?? [];
  kept.delete(toKey(userId, viewId));
  return defaultOf;
}
