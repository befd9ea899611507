import { fieldMaker } from "./make-field.ts";
import type { FieldChoice, Vocabulary } from "./search-field.ts";

const feedback = fieldMaker("event");

const READ_CHOICES: readonly FieldChoice[] = [
  { value: "unread", description: "nobody has opened it", condition: flag("isRead", false) },
  { value: "read", description: "somebody has opened it", condition: flag("isRead", true) },
  { value: "assigned", description: "somebody has it", condition: has("assignee", false) },
  { value: "unassigned", description: "nobody has it", condition: has("assignee", true) },
  { value: "linked", description: "about an issue", condition: has("issueId", false) },
];

/** The fields by which feedback is found. */
export const FEEDBACK_VOCABULARY: Vocabulary = {
  fields: [
    feedback("is", "text", "isRead", "unread, read, assigned, unassigned or linked", { choices: READ_CHOICES }),
    feedback("message", "words", "message", "part of what was said"),
    feedback("name", "words", "name", "part of the name"),
    feedback("email", "text", "email", "address: *@example.com", { aliases: ["contact_email", "user.email"] }),
    feedback("url", "words", "url", "part of the page’s address"),
    feedback("project", "text", "project", "project that it came to", { aliases: ["project.name"] }),
    feedback("environment", "text", "environment", "where the application runs", { aliases: ["env"] }),
    feedback("release", "version", "release", "version of the application; release:>2.3, release:latest"),
    feedback("browser", "words", "browser", "Chrome, “Firefox 140”"),
    feedback("source", "text", "source", "feedback (widget or API) or report (older SDKs)"),
    feedback("trace", "id", "traceId", "sent within a trace"),
    feedback("replay", "id", "replayId", "sent within a replay", { aliases: ["replay_id"] }),
    feedback("event", "id", "aboutEventId", "about an event", { aliases: ["associated_event_id"] }),
    feedback("time", "time", "receivedAt", "when it came: time:-7d, time:>2026-11-01", { aliases: ["timestamp"] }),
  ],
  text: { row: "event", field: "text" },
  hasTags: false,
  refused: { issue: "The page of an issue shows what people wrote about it.", status: "Choose a tab." },
};

function flag(field: string, value: boolean): FieldChoice["condition"] {
  const test = { kind: "compare", sign: "=", value: value ? 1 : 0 } as const;
  return { kind: "test", field, isTag: false, test, isNegated: false };
}

function has(field: string, isNegated: boolean): FieldChoice["condition"] {
  return { kind: "test", field, isTag: false, test: { kind: "exists" }, isNegated };
}
