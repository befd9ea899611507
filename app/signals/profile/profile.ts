import { MIB } from "../../domain/bytes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { toIdentity } from "../identity.ts";
import { releaseAndEnvironment, toRecord, toShortText, toSummary } from "../item-summary.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeJson } from "../stored-item.ts";

const LIMITS = { maxItemBytes: 50 * MIB, maxTotalBytes: 50 * MIB, maxCount: 1 };

/** The profile of a transaction. */
export const PROFILE = defineSignal({
  itemTypes: ["profile"],
  category: "profile",
  group: "profile",
  limits: LIMITS,
  dependsOnEvent: true,
  isBulk: ALWAYS_BULK,
  read: storeJson({
    summarize(value) {
      if (Object.keys(toRecord(value.profile)).length === 0 && !toShortText(value.sampled_profile))
        return "missing_profile";
      // The SDKs of Python and of phones send a list. Its first entry counts.
      const listed = Array.isArray(value.transactions) ? value.transactions[0] : null;
      const transaction = toRecord(value.transaction ?? listed);
      return toSummary({
        ...releaseAndEnvironment(value),
        eventId: normalizeEventId(value.event_id),
        traceId: normalizeEventId(transaction.trace_id),
        occurredAt: parseTimestampMs(value.timestamp),
        name: toShortText(transaction.name),
      });
    },
    identify(value) {
      const profileId = normalizeEventId(value.event_id);
      return profileId === null ? null : toIdentity("profile", [profileId]);
    },
  }),
});

/** A chunk of a profile that is recorded continuously. */
export const PROFILE_CHUNK = defineSignal({
  itemTypes: ["profile_chunk"],
  category: "profile_chunk",
  group: "profile_chunk",
  limits: LIMITS,
  isBulk: ALWAYS_BULK,
  read: storeJson({
    summarize(value) {
      if (Object.keys(toRecord(value.profile)).length === 0) return "missing_profile";
      return toSummary({
        ...releaseAndEnvironment(value),
        eventId: normalizeEventId(value.profiler_id),
        name: toShortText(value.platform),
      });
    },
    identify(value) {
      const chunkId = normalizeEventId(value.chunk_id);
      return chunkId === null ? null : toIdentity("profile_chunk", [normalizeEventId(value.profiler_id), chunkId]);
    },
  }),
});
