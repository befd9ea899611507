import type { Vocabulary } from "./search-field.ts";

/** What sessions are found by. They have no text; a search for one finds nothing, so who reads a search refuses it. */
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
