import { fieldMaker } from "./make-field.ts";
import type { Vocabulary } from "./search-field.ts";

const audit = fieldMaker("event");

/** The fields by which entries of the audit log are found. */
export const AUDIT_VOCABULARY: Vocabulary = {
  fields: [
    audit("actor", "words", "actor", "part of the name or the address of who did it", { aliases: ["by", "who"] }),
    audit("actor.kind", "text", "actorKind", "member, token, job, command, stranger or server", { aliases: ["kind"] }),
    audit("action", "text", "action", "what was done: member.edit, token.*", { aliases: ["event", "what"] }),
    audit("target", "words", "target", "part of the name of what was changed", { aliases: ["on"] }),
    audit("target.kind", "text", "targetKind", "member, team, token, project, key and so on"),
    audit("address", "text", "address", "IP address of the client: 192.0.2.*", { aliases: ["ip"] }),
    audit("time", "time", "at", "when: time:-7d, time:>2026-11-01", { aliases: ["at", "timestamp", "date"] }),
    audit("entry", "number", "id", "number of the entry: entry:>1200", { aliases: ["id"] }),
  ],
  text: { row: "event", field: "text" },
  hasTags: false,
  refused: {
    is: "It says something about issues.",
    project: "Look for the project’s name as target: “target:shop”.",
  },
};
