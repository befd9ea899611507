import type { ItemHeader } from "../protocol/parse-envelope.ts";
import { ATTACHMENT } from "./attachment/attachment.ts";
import { CHECK_IN } from "./check-in/check-in.ts";
import { CLIENT_REPORT } from "./client-report/client-report.ts";
import { ERROR, SECURITY } from "./error/error.ts";
import { FEEDBACK, USER_REPORT } from "./feedback/feedback.ts";
import { LOG, OTEL_LOG } from "./log/log.ts";
import { METRIC_BUCKET, TRACE_METRIC } from "./metric/metric.ts";
import { OTLP_LOGS, OTLP_METRICS, OTLP_TRACES } from "./otlp/otlp.ts";
import { PROFILE, PROFILE_CHUNK } from "./profile/profile.ts";
import { REPLAY_EVENT, REPLAY_RECORDING, REPLAY_VIDEO } from "./replay/replay.ts";
import { SESSION, SESSIONS } from "./session/session.ts";
import type { Signal } from "./signal.ts";
import { OTEL_SPAN, SPAN, SPAN_CONTAINER } from "./span/span.ts";
import { TRANSACTION } from "./transaction/transaction.ts";
import { UNKNOWN } from "./unknown/unknown.ts";

/** Every signal. Where several have a type, those with a condition come first. */
const SIGNALS: readonly Signal[] = [
  ERROR,
  SECURITY,
  TRANSACTION,
  SPAN_CONTAINER,
  SPAN,
  OTEL_SPAN,
  LOG,
  OTEL_LOG,
  TRACE_METRIC,
  METRIC_BUCKET,
  SESSION,
  SESSIONS,
  CHECK_IN,
  FEEDBACK,
  USER_REPORT,
  REPLAY_EVENT,
  REPLAY_RECORDING,
  REPLAY_VIDEO,
  PROFILE,
  PROFILE_CHUNK,
  ATTACHMENT,
  CLIENT_REPORT,
  OTLP_TRACES,
  OTLP_LOGS,
  OTLP_METRICS,
];

/** A map, so that a type called `constructor` is as unknown as any other. */
const BY_TYPE: ReadonlyMap<string, readonly Signal[]> = new Map(
  SIGNALS.flatMap(({ itemTypes }) => itemTypes).map((type) => [
    type,
    SIGNALS.filter(({ itemTypes }) => itemTypes.includes(type)),
  ]),
);

/** The signal of an item, by its header alone. */
export function findSignal(header: ItemHeader): Signal {
  for (const signal of BY_TYPE.get(header.type) ?? []) {
    if (signal.matches === undefined || signal.matches(header)) return signal;
  }
  return UNKNOWN;
}
