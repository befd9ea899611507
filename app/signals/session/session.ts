import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { toIdentity, toIdentityPart } from "../identity.ts";
import { type Json, releaseAndEnvironment, toRecord, toShortText, toSummary } from "../item-summary.ts";
import { defineSignal, MIB } from "../signal.ts";
import { storeJson } from "../stored-item.ts";

/** Sessions older than five days, or more than a minute ahead, cannot be counted any more (protocol 9). */
const MAX_AGE_MS = 5 * 86_400_000;
const MAX_FUTURE_MS = 60_000;
const STATUSES = new Set(["ok", "exited", "crashed", "abnormal", "errored", "unhandled"]);

const LIMITS = {
  category: "session",
  group: "session",
  limits: { maxItemBytes: 10 * MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
} as const;

/** One update of one session. */
export const SESSION = defineSignal({
  itemTypes: ["session"],
  ...LIMITS,
  read: storeJson({
    summarize(value, arrivedAt) {
      const attributes = releaseAndEnvironment(toRecord(value.attrs));
      if (attributes.release === null) return problemOfRelease(value);
      const startedAt = parseTimestampMs(value.started);
      if (startedAt === null) return "missing_started";
      if (startedAt < arrivedAt - MAX_AGE_MS) return "session_too_old";
      if (startedAt > arrivedAt + MAX_FUTURE_MS) return "session_in_future";
      const status = toShortText(value.status);
      if (status !== null && !STATUSES.has(status)) return "unknown_session_status";
      return toSummary({ ...attributes, occurredAt: startedAt, name: status ?? "ok" });
    },
    identify: identifyUpdate,
  }),
});

/** Counts of sessions, which may say the same twice and mean it. */
export const SESSIONS = defineSignal({
  itemTypes: ["sessions"],
  ...LIMITS,
  read: storeJson({
    summarize(value) {
      const attributes = releaseAndEnvironment(toRecord(value.attrs));
      if (attributes.release === null) return problemOfRelease(value);
      if (!Array.isArray(value.aggregates)) return "missing_aggregates";
      return toSummary({ ...attributes, occurredAt: parseTimestampMs(toRecord(value.aggregates[0]).started) });
    },
  }),
});

/** Why a session without a usable release is worth nothing. */
function problemOfRelease(value: Json): string {
  const { release } = toRecord(value.attrs);
  return release === undefined || release === null || release === "" ? "missing_release" : "invalid_release";
}

/**
 * Updates of a session are told apart by `seq`, or else their time (protocol 9). Sequence alone is not enough: SDKs move
 * the `init` of an update that they had to throw away to the next one, which then comes under the sequence 0 that the
 * thrown-away one may have been received with, and says how the session ended. So what an update says is part of it; two
 * that agree in all of this count the same.
 */
function identifyUpdate(value: Json): string | null {
  const sid = normalizeEventId(value.sid);
  const { seq, timestamp, init, status, errors, did } = value;
  const place = toIdentityPart(seq) ?? toIdentityPart(timestamp) ?? (init === true ? 0 : null);
  if (sid === null || place === null) return null;
  return toIdentity("session", [sid, place, ...[init, status, errors, did].map(toIdentityPart)]);
}
