import type { ProjectKey } from "../domain/project.ts";
import type { CountedUse } from "../stores/state/quota-store.ts";

/** Counts items per client key in fixed windows, each starting with the first item after the last one ended. */
export interface KeyRateLimiter {
  /**
   * Counts the items and returns 0 if they may pass; otherwise the whole seconds until the window ends. The items of one container pass
   * together while the window has any room, because a large container would never fit otherwise.
   */
  take(key: Pick<ProjectKey, "id" | "rateLimit">, quantity: number, nowMs: number): number;
  /** The windows in which something was counted since they were listed last. */
  listUses(): CountedUse[];
  /** Continues the windows of another process. Windows of keys that have counted already stay. */
  restore(uses: readonly CountedUse[]): void;
}

interface Window {
  startedAt: number;
  windowSeconds: number;
  usedCount: number;
}

export function createKeyRateLimiter(): KeyRateLimiter {
  const windows = new Map<number, Window>();
  const changed = new Set<number>();
  return {
    take(key, quantity, nowMs) {
      const limit = key.rateLimit;
      if (limit === null) {
        windows.delete(key.id);
        return 0;
      }
      let window = windows.get(key.id);
      const hasEnded = window !== undefined && nowMs >= window.startedAt + limit.windowSeconds * 1000;
      // If the clock was set back, a key must not be limited for longer than its window.
      const isFuture = window !== undefined && nowMs < window.startedAt;
      if (window === undefined || hasEnded || isFuture || window.windowSeconds !== limit.windowSeconds) {
        window = { startedAt: nowMs, windowSeconds: limit.windowSeconds, usedCount: 0 };
        windows.set(key.id, window);
      }
      if (window.usedCount >= limit.count) {
        return Math.max(1, Math.ceil((window.startedAt + limit.windowSeconds * 1000 - nowMs) / 1000));
      }
      window.usedCount += quantity;
      changed.add(key.id);
      return 0;
    },
    listUses() {
      const uses = [...changed].flatMap((id): CountedUse[] => {
        const window = windows.get(id);
        if (window === undefined) return [];
        const { startedAt, windowSeconds, usedCount: used } = window;
        return [{ owner: `key:${id}`, kind: "all", period: `${windowSeconds}s`, startedAt, used }];
      });
      changed.clear();
      return uses;
    },
    restore(uses) {
      for (const { owner, period, startedAt, used } of uses) {
        const id = Number(/^key:(\d+)$/.exec(owner)?.[1]);
        const windowSeconds = Number(/^(\d+)s$/.exec(period)?.[1]);
        if (id > 0 && windowSeconds > 0 && !windows.has(id))
          windows.set(id, { startedAt, windowSeconds, usedCount: used });
      }
    },
  };
}
