import type { LiveFeed } from "../../domain/live-message.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { LiveEvent } from "./live-event.ts";

/** Proxies close connections that are silent for a minute, and some after half a minute. */
const HEARTBEAT_MS = 20_000;
const BACKLOG_EVERY_MS = 3_000;
/** How long a browser waits before it connects again. It is short, because a restart takes about a second. */
const RETRY_MS = 2_000;
const RETRY_WHEN_FULL_MS = 5_000;
/** The most bytes that may wait for a reader. After that, messages are left out. */
const MAX_WAITING_BYTES = 64 * 1024;
/** After this time the stream ends. The browser connects again, and its rights are checked again. */
const MAX_LIFE_MS = 10 * MINUTE_MS;
/** The most streams of one person, who has one for each visible tab. Without a bound, one person could hold every connection of the server. */
export const MAX_STREAMS_EACH = 50;

export interface LiveSource {
  /** Null: a caller with a token of the organization. */
  user: { id: number } | null;
  live: Pick<LiveFeed, "lastPublishedAt" | "subscribe">;
  backlog(): { records: number; recordsPerSecond: number };
}

/** The number of open streams, by user. */
const openCounts = new Map<number | null, number>();

/**
 * Sends the feed as server-sent events, until the reader goes away (`signal`) or cancels. A reader that is too slow misses messages and is
 * told so (`gap`), so memory stays bounded. Null: this person has as many streams as one may have.
 */
export function openLiveStream(source: LiveSource, signal: AbortSignal): ReadableStream<Uint8Array> | null {
  const owner = source.user?.id ?? null;
  const openCount = openCounts.get(owner) ?? 0;
  if (openCount >= MAX_STREAMS_EACH) return null;
  openCounts.set(owner, openCount + 1);
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let hasGap = false;
        let sentBacklog: number | null = null;
        const write = (text: string) => {
          if (hasGap || (controller.desiredSize ?? 0) <= 0) {
            hasGap = true;
            return;
          }
          controller.enqueue(encoder.encode(text));
        };
        const send = (event: LiveEvent) => {
          if (hasGap && (controller.desiredSize ?? 0) > MAX_WAITING_BYTES / 2) {
            hasGap = false;
            write(frame({ kind: "gap" }));
          }
          write(frame(event));
        };
        const sendBacklog = () => {
          const { records, recordsPerSecond } = source.backlog();
          if (records === sentBacklog) return;
          sentBacklog = records;
          send({ kind: "backlog", at: Date.now(), records, recordsPerSecond });
        };

        const unsubscribe = source.live.subscribe(send);
        const heartbeat = setInterval(() => write(": alive\n\n"), HEARTBEAT_MS);
        const backlog = setInterval(sendBacklog, BACKLOG_EVERY_MS);
        const life = setTimeout(() => end(), MAX_LIFE_MS);
        // None of these timers keeps the process alive.
        for (const timer of [heartbeat, backlog, life]) timer.unref();
        stop = () => {
          stop = () => {};
          openCounts.set(owner, (openCounts.get(owner) ?? 1) - 1);
          if (openCounts.get(owner) === 0) openCounts.delete(owner);
          unsubscribe();
          clearInterval(heartbeat);
          clearInterval(backlog);
          clearTimeout(life);
        };
        const end = () => {
          stop();
          try {
            controller.close();
          } catch {
            // The reader has cancelled the stream already.
          }
        };
        if (signal.aborted) end();
        else signal.addEventListener("abort", end, { once: true });

        write(`retry: ${RETRY_MS}\n\n`);
        send({ kind: "hello", publishedAt: source.live.lastPublishedAt() });
        sendBacklog();
      },
      cancel() {
        stop();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
}

/** The answer to a browser that has too many streams. It asks again soon, because another window may have been closed. */
export function refuseLiveStream(): ReadableStream<Uint8Array> {
  return new Blob([`retry: ${RETRY_WHEN_FULL_MS}\n\n${frame({ kind: "full" })}`]).stream();
}

function frame(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
