import type { Log } from "../log.server.ts";
import type { EventStore } from "../stores/event-store.ts";

/** One piece keeps a core busy for half a second: at 1,000 events a second one is due every minute. */
const EVERY_MS = 5_000;

/** With more waiting, the digest needs the store for itself: settling can wait for the end of a burst. */
const MAX_BACKLOG_RECORDS = 1_000;

export interface SettlingJob {
  /** Waits for a run that is under way. */
  close(): Promise<void>;
}

/** Lets the event store put its rows in order, a piece at a time, while there is little else to do. */
export function startSettlingJob(
  { events, backlog }: { events: Pick<EventStore, "settle">; backlog: () => { records: number } },
  log: Log,
): SettlingJob {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (running !== null || backlog().records > MAX_BACKLOG_RECORDS) return;
    running = settle().finally(() => {
      running = null;
    });
  }, EVERY_MS);
  timer.unref();

  async function settle(): Promise<void> {
    try {
      const startedAt = performance.now();
      if (await events.settle()) log.debug({ ms: Math.round(performance.now() - startedAt) }, "settled events");
    } catch (error) {
      log.error({ err: error }, "settling events failed");
    }
  }

  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
