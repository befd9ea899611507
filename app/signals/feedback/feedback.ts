import { MIB } from "../../domain/bytes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { ATTACHMENT_LIMITS } from "../attachment/attachment-limits.ts";
import { toIdentity } from "../identity.ts";
import { releaseAndEnvironment, toRecord, toShortText, toSummary } from "../item-summary.ts";
import { defineSignal } from "../signal.ts";
import { storeJson } from "../stored-item.ts";
import { readFeedback, readReport } from "./read-feedback.ts";

export const FEEDBACK = defineSignal({
  itemTypes: ["feedback"],
  category: "feedback",
  group: "feedback",
  // One: a second would have the same id.
  limits: { maxItemBytes: MIB, maxTotalBytes: MIB, maxCount: 1 },
  isMainItem: true,
  hasEventId: true,
  read: storeJson({
    summarize(value) {
      const message = toShortText(toRecord(toRecord(value.contexts).feedback).message);
      if (!message) return "empty_message";
      return toSummary({
        ...releaseAndEnvironment(value),
        occurredAt: parseTimestampMs(value.timestamp),
        name: message,
      });
    },
    identify(value, { entry, isBesideEvent }) {
      // The envelope's id may be that of the event that the feedback is about.
      const eventId = normalizeEventId(value.event_id) ?? entry.eventId;
      // Its own id may be that of the event, too: the event must not make the feedback in its envelope a repeat.
      return isBesideEvent && eventId !== null ? toIdentity("feedback", [eventId]) : eventId;
    },
    effects(value, item) {
      const feedback = readFeedback(value, item);
      return feedback ? { feedback } : {};
    },
  }),
});

/**
 * A user's report about an event. The newest report of an event counts (protocol 4.8), so a text may return and count again: it has no
 * identity.
 */
export const USER_REPORT = defineSignal({
  itemTypes: ["user_report"],
  category: "default",
  group: ATTACHMENT_LIMITS.group,
  limits: { ...ATTACHMENT_LIMITS.limits, maxItemBytes: MIB },
  hasEventId: true,
  repeatsWithEvent: true,
  read: storeJson({
    summarize(value) {
      if (!toShortText(value.comments)) return "empty_comments";
      return toSummary({
        eventId: normalizeEventId(value.event_id),
        name: toShortText(value.name) ?? toShortText(value.email),
      });
    },
    effects(value, item) {
      const feedback = readReport(value, item);
      return feedback ? { feedback } : {};
    },
  }),
});
