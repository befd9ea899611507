import { crc32, gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { GROUP_COUNT } from "./event-kinds.ts";
import { createEventMaker } from "./make-events.ts";
import type { RequestOptions } from "./prepare-requests.ts";

const EVENT_COUNT = 1_000;
const EVENTS_PER_BLOCK = 100;
const MIN_MS = 1_000;

/**
 * The least that one event can cost: unpack, checksum, parse, write as JSON, compress a hundred together, on one thread and
 * without a server. In microseconds of processor time. The cost of an event in the server is told relative to it, because that
 * differs less between machines and minutes.
 */
export function measureFloor({ sizeBytes, encoding }: Pick<RequestOptions, "sizeBytes" | "encoding">): number {
  const makeEvent = createEventMaker({ sizeBytes, groupCount: GROUP_COUNT, nowMs: Date.now() });
  const bodies = Array.from({ length: EVENT_COUNT }, (_, index) => {
    const body = Buffer.from(makeEvent(index).json);
    return encoding === "gzip" ? gzipSync(body) : body;
  });
  const handleAll = () => {
    for (let from = 0; from < bodies.length; from += EVENTS_PER_BLOCK) {
      const written = bodies.slice(from, from + EVENTS_PER_BLOCK).map((body) => {
        const event = encoding === "gzip" ? gunzipSync(body) : body;
        crc32(event);
        return Buffer.from(JSON.stringify(JSON.parse(event.toString("utf8"))));
      });
      zstdCompressSync(Buffer.concat(written));
    }
  };
  // Code that has run little is slow.
  handleAll();
  const startedAt = performance.now();
  const before = process.cpuUsage();
  let rounds = 0;
  do {
    handleAll();
    rounds++;
  } while (performance.now() - startedAt < MIN_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (rounds * EVENT_COUNT);
}
