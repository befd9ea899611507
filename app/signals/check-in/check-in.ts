import { KIB } from "../../domain/bytes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { toIdentity, toIdentityPart } from "../identity.ts";
import { releaseAndEnvironment, toRecord, toShortText, toSummary } from "../item-summary.ts";
import { defineSignal } from "../signal.ts";
import { storeJson } from "../stored-item.ts";
import { readCheckIn, toMonitorSlug } from "./read-check-in.ts";

export const CHECK_IN = defineSignal({
  itemTypes: ["check_in"],
  category: "monitor",
  group: "check_in",
  limits: { maxItemBytes: 100 * KIB, maxTotalBytes: 100 * KIB, maxCount: 1 },
  read: storeJson({
    summarize(value) {
      if (toMonitorSlug(value.monitor_slug) === "") return "missing_monitor_slug";
      return toSummary({
        ...releaseAndEnvironment(value),
        eventId: normalizeEventId(value.check_in_id),
        name: toShortText(value.monitor_slug),
        traceId: normalizeEventId(toRecord(toRecord(value.contexts).trace).trace_id),
      });
    },
    // A check-in is sent again when its status changes. Another repeat changes nothing (protocol 10: a finished one is not reopened, and
    // its running time counts from its start), unless it has another duration. The nil id means "the latest in progress", so it identifies
    // none.
    identify(value) {
      const checkInId = normalizeEventId(value.check_in_id);
      if (checkInId === null) return null;
      const { monitor_slug, environment, status, duration } = value;
      return toIdentity("check_in", [checkInId, ...[monitor_slug, environment, status, duration].map(toIdentityPart)]);
    },
    effects(value) {
      const checkIn = readCheckIn(value);
      return checkIn ? { checkIn } : {};
    },
  }),
});
