import { LOG_SEVERITIES } from "../logs/log-severity.ts";
import { fieldMaker } from "./make-field.ts";
import type { FieldChoice, Vocabulary } from "./search-field.ts";

const log = fieldMaker("event");

const SEVERITY_CHOICES: readonly FieldChoice[] = LOG_SEVERITIES.map((value) => ({
  value,
  ...(value === "warning" ? { aliases: ["warn"] } : {}),
  description: "",
  condition: { kind: "test", field: "severity", isTag: false, test: { kind: "in", values: [value] }, isNegated: false },
}));

/** The fields by which log lines are found. Any other key is an attribute. */
export const LOG_VOCABULARY: Vocabulary = {
  fields: [
    log("severity", "text", "severity", "severity of the line", { aliases: ["level"], choices: SEVERITY_CHOICES }),
    log("message", "words", "body", "part of the line", { aliases: ["body"] }),
    log("service", "text", "service", "service that wrote it", { aliases: ["service.name"] }),
    log("logger", "text", "logger", "logger that wrote it", { aliases: ["logger.name"] }),
    log("project", "text", "project", "project that it came to", { aliases: ["project.name"] }),
    log("environment", "text", "environment", "where the service runs", { aliases: ["env", "sentry.environment"] }),
    log("release", "version", "release", "version that wrote it; release:>2.3, release:latest", {
      aliases: ["sentry.release"],
    }),
    log("trace", "id", "traceId", "lines of a trace", { aliases: ["trace.id", "trace_id"] }),
    log("span_id", "spanId", "spanId", "lines of a span", {
      aliases: ["span", "span.id", "sentry.trace.parent_span_id"],
    }),
    log("id", "id", "lineId", "one line, by its id", { aliases: ["sentry.item_id", "item_id"] }),
    log("user.id", "text", "userId", "by the user's id", { aliases: ["user"] }),
    log("server.address", "text", "serverAddress", "host that wrote it", { aliases: ["server_name", "host"] }),
    log("message.template", "text", "template", "the line with its parameters left open", {
      aliases: ["sentry.message.template"],
    }),
    log("severity_number", "number", "severityNumber", "1 to 24, as OpenTelemetry counts"),
    log("timestamp", "time", "occurredAt", "when it was written"),
    log("replay", "id", "replayId", "lines of a replay", { aliases: ["replay.id", "sentry.replay_id"] }),
    log("origin", "text", "origin", "what made the line", { aliases: ["sentry.origin"] }),
    log("sdk.name", "text", "sdk", "name of the SDK", { aliases: ["sdk", "sentry.sdk.name"] }),
    log("sdk.version", "text", "sdkVersion", "version of the SDK", { aliases: ["sentry.sdk.version"] }),
  ],
  text: { row: "event", field: "text" },
  hasTags: true,
  hasNumericTags: true,
  refused: {
    is: "It says something about issues.",
    issue: "Log lines belong to traces. “trace:” finds the lines of a trace.",
  },
};
