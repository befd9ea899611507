import { MIB } from "../../domain/bytes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { toIdentity } from "../identity.ts";
import { releaseAndEnvironment, toSummary } from "../item-summary.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeBytes, storeJson } from "../stored-item.ts";
import { readEventSegment, readRecordingSegment, readVideo, readVideoSegment } from "./replay-segment.ts";

export const REPLAY_EVENT = defineSignal({
  itemTypes: ["replay_event"],
  category: "replay",
  group: "replay_event",
  limits: { maxItemBytes: MIB, maxTotalBytes: MIB, maxCount: 1 },
  hasEventId: true,
  isBulk: ALWAYS_BULK,
  read: storeJson({
    summarize(value) {
      const replayId = normalizeEventId(value.replay_id) ?? normalizeEventId(value.event_id);
      if (!replayId) return "missing_replay_id";
      return toSummary({
        ...releaseAndEnvironment(value),
        eventId: replayId,
        occurredAt: parseTimestampMs(value.timestamp),
        name: `segment ${Number(value.segment_id ?? 0)}`,
      });
    },
    identify(value, { entry }) {
      const replayId = normalizeEventId(value.replay_id) ?? normalizeEventId(value.event_id) ?? entry.eventId;
      return identifySegment("replay_event", replayId, readEventSegment(value));
    },
  }),
});

/** The recording does not contain the id of its replay: the envelope's id is the replay's (protocol 4.10). */
export const REPLAY_RECORDING = defineSignal({
  itemTypes: ["replay_recording"],
  category: "replay",
  group: "replay_recording",
  limits: { maxItemBytes: 10 * MIB, maxTotalBytes: 10 * MIB, maxCount: 1 },
  hasEventId: true,
  isBulk: ALWAYS_BULK,
  read: storeBytes({
    summarize: ({ payload }) => toSummary({ name: toSegmentName(readRecordingSegment(payload)) }),
    identify: ({ payload, entry }) => identifySegment("replay_recording", entry.eventId, readRecordingSegment(payload)),
  }),
});

export const REPLAY_VIDEO = defineSignal({
  itemTypes: ["replay_video"],
  category: "replay",
  group: "replay_video",
  limits: { maxItemBytes: 15 * MIB, maxTotalBytes: 15 * MIB, maxCount: 1 },
  hasEventId: true,
  isBulk: ALWAYS_BULK,
  read: storeBytes({
    summarize: ({ payload }) => toSummary({ name: toSegmentName(readVideoSegment(payload)) }),
    identify({ payload, entry }) {
      const { replayId, segment } = readVideo(payload);
      return identifySegment("replay_video", replayId ?? entry.eventId, segment);
    },
  }),
});

function toSegmentName(segment: number | null): string | null {
  return segment === null ? null : `segment ${segment}`;
}

function identifySegment(kind: string, replayId: string | null, segment: number | null): string | null {
  return replayId === null || segment === null ? null : toIdentity(kind, [replayId, segment]);
}
