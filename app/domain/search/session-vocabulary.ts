import type { Vocabulary } from "./search-field.ts";

/** The keys of sessions. Sessions have no text, so a search with text would find nothing. Callers refuse such a search. */
export const SESSION_VOCABULARY: Vocabulary = {
  fields: [
    {
      key: "release",
      type: "version",
      fields: ["release"],
      description: "version that ran; release:>2.3, release:latest",
      row: "event",
    },
    {
      key: "environment",
      aliases: ["env"],
      type: "text",
      fields: ["environment"],
      description: "where it ran",
      row: "event",
    },
  ],
  text: { row: "event", field: "text" },
  hasTags: false,
  refused: { user: "A session keeps a hash of its user alone." },
};
