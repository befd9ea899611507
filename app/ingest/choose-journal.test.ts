import { expect, test } from "vitest";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { chooseJournal } from "./choose-journal.ts";

function choose(items: ReadonlyArray<[type: string, payload?: string]>, canBeReported?: true): string {
  const lines = items.flatMap(([type, payload = "{}"]) => [JSON.stringify({ type, length: payload.length }), payload]);
  const { items: parsed } = parseEnvelope(Buffer.from(`{}\n${lines.join("\n")}\n`));
  return chooseJournal(parsed, canBeReported ? { canBeReported } : {});
}

test.each(["event", "security", "check_in", "feedback", "user_report", "session", "sessions", "client_report"])(
  "somebody waits for %s, and for what comes with it",
  (type) => {
    expect(choose([[type]])).toBe("express");
    expect(choose([["attachment"], [type]])).toBe("express");
    expect(choose([[type], ["log"]])).toBe("express");
  },
);

test.each([
  "transaction",
  "span",
  "log",
  "trace_metric",
  "statsd",
  "profile",
  "profile_chunk",
  "replay_event",
  "replay_recording",
  "attachment",
  "otlp_metrics",
  "of_the_future",
])("%s is bulk", (type) => {
  expect(choose([[type]])).toBe("bulk");
  expect(choose([[type], ["profile"], ["attachment"]])).toBe("bulk");
});

test("what OpenTelemetry sends is bulk, but for exceptions, which become events", () => {
  for (const type of ["otlp_traces", "otlp_logs"]) {
    expect(choose([[type, '{"key":"http.route"}']])).toBe("bulk");
    expect(choose([[type, '{"key":"exception.type"}']])).toBe("express");
    expect(choose([[type, "\u0012\u0011exception.message"]])).toBe("express");
  }
});

test("the ledger has what the sender may report as lost before the report comes", () => {
  expect(choose([["profile"]], true)).toBe("express");
});
