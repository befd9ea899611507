import type { ProjectKey } from "../domain/project.ts";

/** Counts items per client key in fixed windows, each starting with the first item after the last one ended. */
export interface KeyRateLimiter {
  /**
   * Zero when the items may pass, and then they are counted; else the whole seconds until the window ends. Items that
   * come as one (a container) pass together while the window has any room, or they never would.
   */
  take(key: Pick<ProjectKey, "id" | "rateLimit">, quantity: number, nowMs: number): number;
}

interface Window {
  startedAt: number;
  windowSeconds: number;
  usedCount: number;
}

export function createKeyRateLimiter(): KeyRateLimiter {
  const windows = new Map<number, Window>();
  return {
    take(key, quantity, nowMs) {
      const limit = key.rateLimit;
      if (limit === null) {
        windows.delete(key.id);
        return 0;
      }
      let window = windows.get(key.id);
      const hasEnded = window !== undefined && nowMs >= window.startedAt + limit.windowSeconds * 1000;
      // A clock that was set back must not hold a key for longer than its window.
      const isFuture = window !== undefined && nowMs < window.startedAt;
      if (window === undefined || hasEnded || isFuture || window.windowSeconds !== limit.windowSeconds) {
        window = { startedAt: nowMs, windowSeconds: limit.windowSeconds, usedCount: 0 };
        windows.set(key.id, window);
      }
      if (window.usedCount >= limit.count) {
        return Math.max(1, Math.ceil((window.startedAt + limit.windowSeconds * 1000 - nowMs) / 1000));
      }
      window.usedCount += quantity;
      return 0;
    },
  };
}
