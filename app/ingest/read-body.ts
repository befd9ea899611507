import type { IncomingMessage } from "node:http";
import { freeMemory } from "../domain/free-memory.ts";
import type { BytesLease } from "./in-flight-bytes.ts";
import type { IngestLimits } from "./ingest-limits.ts";
import { Refusal } from "./refusal.ts";

/** Reads request bodies within limits of bytes, memory and time. */
export interface BodyReader {
  /** Calls back once: with the whole body, with why it is refused, or with null when the sender went away. */
  read(
    req: IncomingMessage,
    maxBytes: number,
    lease: BytesLease,
    done: (result: Uint8Array | Refusal | null) => void,
  ): void;
  /** Reads and throws away an unwanted body, so that the sender reads the answer before the connection ends. */
  discard(req: IncomingMessage): void;
  close(): void;
}

interface Transfer {
  req: IncomingMessage;
  startedAt: number;
  receivedBytes: number;
  /** Called when the sender is too slow; the connection ends after it. */
  expire: (() => void) | null;
}

const SWEEP_INTERVAL_MS = 1000;

export function createBodyReader(limits: IngestLimits, now: () => number): BodyReader {
  // All requests share one timer: a timer for each would cost more than most requests do.
  const transfers = new Set<Transfer>();
  const timer = setInterval(() => {
    for (const transfer of transfers) {
      const elapsedMs = now() - transfer.startedAt;
      const earnedMs = (transfer.receivedBytes / limits.minBodyBytesPerSecond) * 1000;
      if (elapsedMs <= Math.max(limits.bodyGraceMs, earnedMs)) continue;
      transfers.delete(transfer);
      transfer.expire?.();
      // The answer was sent long ago. If the sender has not read it by now, it never will.
      transfer.req.socket.destroySoon();
    }
  }, SWEEP_INTERVAL_MS);
  timer.unref();

  return {
    read(req, maxBytes, lease, done) {
      let first: Buffer | null = null;
      let chunks: Buffer[] | null = null;
      let isDone = false;
      const finish = (result: Uint8Array | Refusal | null): void => {
        if (isDone) return;
        isDone = true;
        first = null;
        chunks = null;
        done(result);
      };
      // Put into a field that was null before, a function of its own for each request makes V8 keep the request until a full collection.
      const expire = () =>
        finish(new Refusal("body_timeout", `the body came slower than ${limits.minBodyBytesPerSecond} bytes a second`));
      const transfer: Transfer = { req, startedAt: now(), receivedBytes: 0, expire };
      transfers.add(transfer);

      req.on("data", (chunk: Buffer) => {
        transfer.receivedBytes += chunk.length;
        if (isDone) {
          if (transfer.receivedBytes > maxBytes + limits.maxDrainBytes) req.destroy();
        } else if (transfer.receivedBytes > maxBytes) {
          finish(new Refusal("body_too_large", `the body is larger than ${maxBytes} bytes`));
        } else if (!lease.take(chunk.length)) {
          finish(overloaded());
        } else if (first === null) {
          first = chunk;
        } else {
          chunks ??= [first];
          chunks.push(chunk);
        }
      });
      req.on("end", () => {
        transfers.delete(transfer);
        finish(chunks !== null ? joinChunks(chunks) : (first ?? Buffer.alloc(0)));
      });
      req.on("close", () => {
        transfers.delete(transfer);
        finish(null);
      });
    },

    discard(req) {
      if (req.readableEnded) return;
      const transfer: Transfer = { req, startedAt: now(), receivedBytes: 0, expire: null };
      transfers.add(transfer);
      req.on("data", (chunk: Buffer) => {
        transfer.receivedBytes += chunk.length;
        if (transfer.receivedBytes > limits.maxDrainBytes) req.destroy();
      });
      req.on("end", () => transfers.delete(transfer));
      req.on("close", () => transfers.delete(transfer));
    },

    close() {
      clearInterval(timer);
    },
  };
}

/** Frees the chunks: Node hands out each in memory of its own. */
function joinChunks(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat(chunks);
  for (const chunk of chunks) freeMemory(chunk);
  return body;
}

export function overloaded(): Refusal {
  return new Refusal("overloaded", "the server holds as much as it can of other requests", { retryAfterSeconds: 5 });
}
