import { hash } from "node:crypto";
import { normalizeEventId } from "../protocol/event-id.ts";
import { readEventSegment, readRecordingSegment, readVideo } from "./replay-segment.ts";

/** What is known of an item where it is decided whether it came before. */
export interface IdentitySource {
  /** The payload's JSON; null when it has none, or too much to be parsed. */
  value: unknown;
  payload: Uint8Array;
  /** The id that the sender was told. Made up where the envelope names none: then a second sending has another. */
  envelopeEventId: string | null;
  /** Whether an event, transaction or security report is in the same envelope. */
  isBesideEvent: boolean;
}

type Json = Record<string, unknown>;
type Part = string | number | boolean | null;
type IdentityReader = (value: Json, source: IdentitySource) => string | null;

/**
 * What an item is known by when it is sent again: the same for each sending of the same thing, and never the same for two
 * things. An event id, in which errors and items share one space, or a hash in which the kind is part. Null where a
 * repeat cannot be told from something new: that is stored each time, because a repeat is better than a loss.
 *
 * Without one are containers (logs, spans, metrics), client reports, `sessions` and attachments, which may say the same
 * twice and mean it, and user reports: the newest of an event counts (protocol 4.8), so a text that returns is news.
 */
export function toItemIdentity(type: string, source: IdentitySource): string | null {
  const read = IDENTITY_READERS.get(type);
  return read ? read(toRecord(source.value), source) : null;
}

const IDENTITY_READERS: ReadonlyMap<string, IdentityReader> = new Map<string, IdentityReader>([
  // As with errors, the envelope's id wins (protocol 2.6): ingest takes the payload's only where the header has none.
  ["transaction", (_, { envelopeEventId }) => envelopeEventId],
  [
    "feedback",
    (value, { envelopeEventId, isBesideEvent }) => {
      // The envelope's id may be that of the event that the feedback is about.
      const eventId = normalizeEventId(value.event_id) ?? envelopeEventId;
      // Then even its own may be: an event must not make the words that came with it a repeat.
      return isBesideEvent && eventId !== null ? toHash("feedback", [eventId]) : eventId;
    },
  ],
  [
    "profile",
    (value) => {
      const profileId = normalizeEventId(value.event_id);
      return profileId === null ? null : toHash("profile", [profileId]);
    },
  ],
  [
    "profile_chunk",
    (value) => {
      const chunkId = normalizeEventId(value.chunk_id);
      return chunkId === null ? null : toHash("profile_chunk", [normalizeEventId(value.profiler_id), chunkId]);
    },
  ],
  [
    "replay_event",
    (value, { envelopeEventId }) => {
      const replayId = normalizeEventId(value.replay_id) ?? normalizeEventId(value.event_id) ?? envelopeEventId;
      return toSegmentHash("replay_event", replayId, readEventSegment(value));
    },
  ],
  // A recording does not say whose it is: the envelope's id is the replay's (protocol 4.10).
  [
    "replay_recording",
    (_, { payload, envelopeEventId }) =>
      toSegmentHash("replay_recording", envelopeEventId, readRecordingSegment(payload)),
  ],
  [
    "replay_video",
    (_, { payload, envelopeEventId }) => {
      const { replayId, segment } = readVideo(payload);
      return toSegmentHash("replay_video", replayId ?? envelopeEventId, segment);
    },
  ],
  ["check_in", readCheckIn],
  ["session", readSession],
]);

/**
 * A check-in is sent again when its status changes. What repeats it otherwise changes nothing (protocol 10: what is
 * finished is not reopened, and how long it may run counts from its start), unless it brings another duration. The nil
 * id, "the latest in progress", names none.
 */
function readCheckIn(value: Json): string | null {
  const checkInId = normalizeEventId(value.check_in_id);
  if (checkInId === null) return null;
  const { monitor_slug, environment, status, duration } = value;
  return toHash("check_in", [checkInId, ...[monitor_slug, environment, status, duration].map(toPart)]);
}

/**
 * Updates of a session are told apart by `seq`, or else their time (protocol 9). Sequence alone is not enough: SDKs move
 * the `init` of an update that they had to throw away to the next one, which then comes under the sequence 0 that the
 * thrown-away one may have been received with, and says how the session ended. So what an update says is part of it; two
 * that agree in all of this count the same.
 */
function readSession(value: Json): string | null {
  const sid = normalizeEventId(value.sid);
  const { seq, timestamp, init, status, errors, did } = value;
  const place = toPart(seq) ?? toPart(timestamp) ?? (init === true ? 0 : null);
  if (sid === null || place === null) return null;
  return toHash("session", [sid, place, ...[init, status, errors, did].map(toPart)]);
}

function toSegmentHash(kind: string, replayId: string | null, segment: number | null): string | null {
  return replayId === null || segment === null ? null : toHash(kind, [replayId, segment]);
}

/** 128 bits of SHA-256: two that are equal are as rare as two equal event ids. As JSON, so that parts cannot run together. */
function toHash(kind: string, parts: Part[]): string {
  return hash("sha256", JSON.stringify([kind, ...parts]), "hex").slice(0, 32);
}

function toPart(value: unknown): Part {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

function toRecord(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
