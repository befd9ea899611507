import type { LiveFeed, LiveMessage } from "../domain/live-message.ts";

/** Passes messages on to listeners in this process. */
export function createLiveFeed(log: { error(facts: object, message: string): void }): LiveFeed {
  const listeners = new Set<(message: LiveMessage) => void>();
  let lastPublishedAt: number | null = null;
  return {
    lastPublishedAt: () => lastPublishedAt,
    publish(message) {
      lastPublishedAt = message.at;
      for (const listener of listeners) {
        try {
          listener(message);
        } catch (error) {
          log.error({ err: error, kind: message.kind }, "a listener of the live feed failed");
        }
      }
    },
    subscribe(listener) {
      // Wrapped, so that the same function may be given twice.
      const subscription = (message: LiveMessage) => listener(message);
      listeners.add(subscription);
      return () => {
        listeners.delete(subscription);
      };
    },
  };
}
