import { LRUCache } from "lru-cache";

/** Undo is on the page right after the deletion, so it is pressed soon or not at all. */
const kept = new LRUCache<string, readonly number[]>({ max: 1_000 });

const toKey = (userId: number, viewId: number) => `${userId} ${viewId}`;

/**
 * Keeps the people whose list began with a view that its owner has deleted, so that Undo can restore it as their default. A restart forgets
 * them.
 */
export function keepDefaults(userId: number, viewId: number, defaultOf: readonly number[]): void {
  if (defaultOf.length > 0) kept.set(toKey(userId, viewId), defaultOf);
}

/** Returns these people, once. */
export function takeDefaults(userId: number, viewId: number): readonly number[] {
  const defaultOf = kept.get(toKey(userId, viewId)) ?? [];
  kept.delete(toKey(userId, viewId));
  return defaultOf;
}
