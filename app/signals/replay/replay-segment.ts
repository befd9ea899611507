import { MIB } from "../../domain/bytes.ts";
import { isRecord } from "../../domain/is-record.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";

/** A longer first line is not the header of a recording. */
const MAX_HEADER_BYTES = 200;
/** The largest event inside a video, in bytes: the limit of `replay_event` items (protocol 2.5). */
const MAX_EVENT_BYTES = MIB;

/** The segment number of a recording, which its first line contains: `{"segment_id":3}`. Null: the line does not contain it. */
export function readRecordingSegment(payload: Uint8Array): number | null {
  const end = payload.subarray(0, MAX_HEADER_BYTES).indexOf(10);
  if (end < 0) return null;
  const segment = /"segment_id"\s*:\s*(\d{1,9})(?!\d)/.exec(decode(payload.subarray(0, end)))?.[1];
  return segment === undefined ? null : Number(segment);
}

/** The segment of a `replay_event`, from 0. Null when it has none. */
export function readEventSegment(value: Record<string, unknown>): number | null {
  const segment = value.segment_id;
  return typeof segment === "number" && Number.isSafeInteger(segment) && segment >= 0 ? segment : null;
}

/** The segment number of a video. Null when no readable part of the video contains it. */
export function readVideoSegment(payload: Uint8Array): number | null {
  return readVideo(payload).segment;
}

/**
 * A video of a phone is a MessagePack map of `replay_event` (JSON), `replay_recording` and `replay_video` (protocol 4.10).
 * Only the lengths in it are followed; an id or a segment that cannot be found is null.
 */
export function readVideo(payload: Uint8Array): { replayId: string | null; segment: number | null } {
  let replayId: string | null = null;
  let segment: number | null = null;
  for (const [key, value] of readEntries(payload)) {
    if (key === "replay_event" && value.length <= MAX_EVENT_BYTES) {
      const event = parseObject(value);
      replayId = normalizeEventId(event.replay_id) ?? normalizeEventId(event.event_id);
      segment ??= readEventSegment(event);
    }
    if (key === "replay_recording") segment ??= readRecordingSegment(value);
  }
  return { replayId, segment };
}

/** Ends where the bytes are not what such a map has: texts and byte strings. */
function* readEntries(bytes: Uint8Array): Generator<[key: string, value: Uint8Array]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = bytes[0] ?? 0;
  // A map of up to 15 entries; a video has three.
  if ((first & 0xf0) !== 0x80) return;
  const count = first & 0x0f;
  let at = 1;
  for (let entry = 0; entry < count; entry++) {
    const key = readSpan(view, at);
    const value = key && readSpan(view, key.end);
    if (!value) return;
    yield [
      decode(bytes.subarray(key.start, Math.min(key.end, key.start + MAX_HEADER_BYTES))),
      bytes.subarray(value.start, value.end),
    ];
    at = value.end;
  }
}

/** The range of the text or byte string that begins at this offset. Null: there is none, or the bytes end before it does. */
function readSpan(view: DataView, at: number): { start: number; end: number } | null {
  const room = view.byteLength - at;
  if (room < 1) return null;
  const tag = view.getUint8(at);
  const isShort = (tag & 0xe0) === 0xa0;
  const lengthBytes = isShort ? 0 : (LENGTH_BYTES.get(tag) ?? null);
  if (lengthBytes === null || room < 1 + lengthBytes) return null;
  const length =
    lengthBytes === 0
      ? tag & 0x1f
      : lengthBytes === 1
        ? view.getUint8(at + 1)
        : lengthBytes === 2
          ? view.getUint16(at + 1)
          : view.getUint32(at + 1);
  const start = at + 1 + lengthBytes;
  return length <= view.byteLength - start ? { start, end: start + length } : null;
}

/** The number of length bytes behind the first byte of `bin` and `str`, by MessagePack's specification. */
const LENGTH_BYTES = new Map([
  [0xc4, 1],
  [0xc5, 2],
  [0xc6, 4],
  [0xd9, 1],
  [0xda, 2],
  [0xdb, 4],
]);

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(decode(bytes));
    return isRecord(value) ? value : {};
  } catch {
    // Invalid JSON cannot give the segment. The video is stored all the same.
    return {};
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
