import { gzipSync } from "node:zlib";
import { createEventMaker, SLOTS } from "./make-events.ts";
import { createRandom, type Random } from "./random.ts";

export interface RequestOptions {
  dsn: string;
  /** Of the event's JSON, before compression. */
  sizeBytes: number;
  encoding: "plain" | "gzip";
  groupCount: number;
  /** How many requests are made beforehand. Plain ones are used again, as new events; compressed ones only once. */
  count: number;
  seed?: number;
  /** How many different people the events happen to. */
  userCount?: number;
  /** Some issues get many more events than others: the first a tenth of all when there are a thousand. */
  isSkewed?: boolean;
  /** Events happened up to so long ago: the first to be sent that long, the last of `spreadCount` now. */
  spreadMs?: number;
  spreadCount?: number;
}

export interface PreparedRequest {
  /** Headers and body of an HTTP request; valid until the pool comes round to it again. */
  bytes: Buffer;
  /** Of its event, or of the trace of its spans. */
  id: string;
}

/** Everything that costs time is done when this returns; null: all requests that may be used once are used. */
export interface RequestPool {
  readonly count: number;
  next(): PreparedRequest | null;
}

/** Fixed width, like the slots of the events. */
const SENT_AT_SLOT = "1111-11-11T11:11:11.111Z";
/** More than are ever in flight at once, so that no request is changed while it is sent. */
const MIN_PLAIN_COUNT = 1_000;

/** A place in a request that is written anew for each sending. */
interface Places {
  eventId: number[];
  timestamp: number[];
  user: number[];
  sentAt: number[];
}

interface Values {
  eventId: string;
  timestamp: string;
  user: string;
  sentAt: string;
}

export function prepareRequests(options: RequestOptions): RequestPool {
  const { sizeBytes, groupCount, seed = 1, encoding } = options;
  const count = encoding === "plain" ? Math.max(options.count, MIN_PLAIN_COUNT, groupCount) : options.count;
  const makeEvent = createEventMaker({ sizeBytes, groupCount, seed, nowMs: Date.now() });
  // Ids differ from run to run: the same id twice is one event.
  const nextValues = createValues(options, createRandom(seed ^ (Date.now() & 0x7fffffff)));
  const envelopeOf = (index: number) => toEnvelope(makeEvent(index), options);

  if (encoding === "gzip") {
    const requests = Array.from({ length: count }, (_, index) => {
      const body = envelopeOf(index);
      const values = nextValues();
      writeValues(body, findPlaces(body), values);
      return { bytes: toRequest(gzipSync(body), options), id: values.eventId };
    });
    let used = 0;
    return { count, next: () => requests[used++] ?? null };
  }

  const requests = Array.from({ length: count }, (_, index) => {
    const bytes = toRequest(envelopeOf(index), options);
    return { bytes, places: findPlaces(bytes) };
  });
  const nextIndex = options.isSkewed
    ? createSkewedIndex(count, groupCount, createRandom(seed + 77))
    : createRound(count);
  return {
    count,
    next() {
      const request = requests[nextIndex()];
      if (!request) return null;
      const values = nextValues();
      // Chance may pick a request again while it is still being sent.
      const bytes = options.isSkewed ? Buffer.from(request.bytes) : request.bytes;
      writeValues(bytes, request.places, values);
      return { bytes, id: values.eventId };
    },
  };
}

function createRound(count: number): () => number {
  let next = 0;
  return () => next++ % count;
}

function createSkewedIndex(count: number, groupCount: number, random: Random): () => number {
  const roundCount = Math.floor(count / groupCount);
  let round = 0;
  return () => {
    const group = Math.floor(groupCount * random.next() ** 3);
    // Round by round, so that a request comes up again late.
    round = (round + 1) % roundCount;
    return round * groupCount + group;
  };
}

function createValues({ userCount = 20_000, spreadMs = 0, spreadCount = 1 }: RequestOptions, random: Random) {
  let made = 0;
  return (): Values => {
    const nowMs = Date.now();
    const ageMs = spreadMs * Math.max(0, 1 - made++ / spreadCount);
    return {
      eventId: random.hex(32),
      timestamp: ((nowMs - ageMs) / 1000).toFixed(3),
      // Few people meet many errors.
      user: Math.floor(userCount * random.next() ** 2)
        .toString()
        .padStart(SLOTS.user.length, "0"),
      sentAt: new Date(nowMs).toISOString(),
    };
  };
}

function toEnvelope(event: ReturnType<ReturnType<typeof createEventMaker>>, { dsn }: RequestOptions): Buffer {
  const { username } = new URL(dsn);
  const header = {
    event_id: SLOTS.eventId,
    sent_at: SENT_AT_SLOT,
    dsn,
    sdk: event.sdk,
    trace: { trace_id: event.traceId, public_key: username, release: event.release, environment: event.environment },
  };
  const itemHeader = { type: "event", length: event.json.length, content_type: "application/json" };
  return Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(itemHeader)}\n${event.json}\n`, "latin1");
}

/** An HTTP request with an envelope as its body. */
export function toRequest(body: Buffer, { dsn, encoding }: Pick<RequestOptions, "dsn" | "encoding">): Buffer {
  const { host, username, pathname } = new URL(dsn);
  const lines = [
    `POST /api${pathname}/envelope/ HTTP/1.1`,
    `host: ${host}`,
    "user-agent: culprit-bench/1.0",
    "content-type: application/x-sentry-envelope",
    `x-sentry-auth: Sentry sentry_version=7, sentry_client=culprit-bench/1.0, sentry_key=${username}`,
    ...(encoding === "gzip" ? ["content-encoding: gzip"] : []),
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

function findPlaces(bytes: Buffer): Places {
  return {
    eventId: findAll(bytes, SLOTS.eventId),
    timestamp: findAll(bytes, SLOTS.timestamp),
    user: findAll(bytes, SLOTS.user),
    sentAt: findAll(bytes, SENT_AT_SLOT),
  };
}

function findAll(bytes: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text, 0, "latin1"); at >= 0; at = bytes.indexOf(text, at + text.length, "latin1"))
    places.push(at);
  if (places.length === 0) throw new Error(`the event has no place for ${text}`);
  return places;
}

function writeValues(bytes: Buffer, places: Places, values: Values): void {
  for (const at of places.eventId) bytes.write(values.eventId, at, "latin1");
  for (const at of places.timestamp) bytes.write(values.timestamp, at, "latin1");
  for (const at of places.user) bytes.write(values.user, at, "latin1");
  for (const at of places.sentAt) bytes.write(values.sentAt, at, "latin1");
}
