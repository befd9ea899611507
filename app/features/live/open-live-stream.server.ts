import type { LiveFeed } from "../../domain/live-message.ts";
import type { LiveEvent } from "./live-event.ts";

/** Proxies close connections that are silent for a minute, some after half of one. */
const HEARTBEAT_MS = 20_000;
const BACKLOG_EVERY_MS = 3_000;
/** How long a browser waits before it connects again: short, because a restart takes about a second. */
const RETRY_MS = 2_000;
/** Bytes that may wait for a reader before messages are left out. */
const MAX_WAITING_BYTES = 64 * 1024;

export interface LiveSource {
  live: Pick<LiveFeed, "lastPublishedAt" | "subscribe">;
  backlog(): { records: number; recordsPerSecond: number };
}

/**
 * The feed as server-sent events, until the reader goes away (`signal`) or cancels. A reader that does not keep up misses
 * messages and is told so (`gap`); memory stays bounded.
 */
export function openLiveStream(source: LiveSource, signal: AbortSignal): ReadableStream<Uint8Array> {
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
        // Neither keeps the process from stopping.
        heartbeat.unref();
        backlog.unref();
        stop = () => {
          unsubscribe();
          clearInterval(heartbeat);
          clearInterval(backlog);
        };
        const end = () => {
          stop();
          try {
            controller.close();
          } catch {
            // The reader had cancelled it already.
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

function frame(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
