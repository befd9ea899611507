import type { Log } from "../log.server.ts";
import { CHUNK_LIFE_MS, type ChunkStore } from "../stores/chunk-store.ts";
import type { EventStore } from "../stores/event-store.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { PeopleStore } from "../stores/state/people-store.ts";
import type { State } from "../stores/state/state.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Unknown item types and sessions expire within the day, so once a day would let them stay up to twice their time. */
const EVERY_MS = 60 * 60 * 1000;
/** Leaves the start to what cannot wait. */
const FIRST_AFTER_MS = 60_000;

export interface RetentionJob {
  /** Deletes what is too old, now; a run that is under way is waited for. */
  run(): Promise<void>;
  /** Waits for a run that is under way. */
  close(): Promise<void>;
}

/** Deletes what is older than its retention, every hour. One store that fails does not keep the others from it. */
export function startRetentionJob(
  stores: {
    state: Pick<State, "dropBefore"> & { people: Pick<PeopleStore, "deleteExpiredSessions"> };
    events: Pick<EventStore, "dropBefore">;
    payloads: Pick<PayloadStore, "dropBefore">;
    chunks: Pick<ChunkStore, "dropBefore">;
  },
  { retentionDays, log, now }: { retentionDays: number; log: Log; now: () => number },
): RetentionJob {
  let running: Promise<void> | null = null;
  let timer = setTimeout(tick, FIRST_AFTER_MS);
  timer.unref();

  async function drop(): Promise<void> {
    const at = now();
    const before = at - retentionDays * DAY_MS;
    const steps: Record<string, () => Promise<number>> = {
      // Rows first: a row whose payload is gone shows less than it promises, a payload without its row is only waste.
      events: () => stores.events.dropBefore(before, at),
      payloadBytes: () => stores.payloads.dropBefore(before),
      counts: () => stores.state.dropBefore(before),
      uploadChunks: () => stores.chunks.dropBefore(at - CHUNK_LIFE_MS),
      sessions: () => stores.state.people.deleteExpiredSessions(at),
    };
    const dropped: Record<string, number> = {};
    for (const [what, step] of Object.entries(steps)) {
      try {
        const count = await step();
        if (count > 0) dropped[what] = count;
      } catch (error) {
        log.error({ err: error, what }, "deleting what is too old failed");
      }
    }
    if (Object.keys(dropped).length > 0) log.info(dropped, "deleted what was too old");
  }

  function run(): Promise<void> {
    running ??= drop().finally(() => {
      running = null;
    });
    return running;
  }

  async function tick(): Promise<void> {
    await run();
    timer = setTimeout(tick, EVERY_MS);
    timer.unref();
  }

  return {
    run,
    async close() {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
