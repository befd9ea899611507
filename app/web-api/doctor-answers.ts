import { z } from "zod";
import { STEP_STATES } from "../domain/symbolication.ts";
import { id, instant } from "./shapes.ts";

const debugId = z.string().describe("lower case, with dashes");
const text = z.string().nullable();
const state = z.enum(STEP_STATES);
const fixes = z.array(
  z.object({ text: z.string(), command: text.describe("lines for a shell; null: a setting, or nothing to be done") }),
);

const steps = z.array(
  z.object({
    step: z.enum(["event", "upload", "generated-file", "source-map", "mapping"]),
    state,
    text: z.string(),
    facts: z.record(z.string(), z.array(z.string())),
  }),
);

export const eventDoctorAnswer = z.object({
  eventID: z.string(),
  release: text,
  dist: text,
  ok: z.boolean().describe("every frame can be read"),
  summary: z.array(z.string()).describe("what frames that cannot be read wait for, most frames first"),
  fixes: fixes.describe("of the first of the summary"),
  failure: z.enum(["timed_out", "thread_died", "closed", "failed"]).nullable(),
  files: z.array(
    z.object({ absPath: z.string(), frames: z.int(), mapped: z.boolean(), summary: z.string(), steps, fixes }),
  ),
  retrace: z
    .object({
      state,
      text: z.string(),
      mappings: z.array(z.object({ debugId, state, text: z.string(), dateUploaded: instant.nullable() })),
      fixes,
    })
    .nullable()
    .describe("the mappings of R8 or ProGuard; null: the event names none"),
  frames: z.array(
    z.object({
      stack: z.string().describe("like `exception[0]`"),
      frame: z.int(),
      file: z.int().nullable().describe("place in `files`"),
      lineno: z.int().nullable(),
      colno: z.int().nullable(),
      state,
      readable: z.boolean(),
      text: z.string(),
      source: text,
      sourceLine: z.int().nullable(),
      sourceColumn: z.int().nullable(),
    }),
  ),
});

const releaseOfUpload = z.object({ version: z.string(), dist: text });

export const releaseDoctorAnswer = z.object({
  release: z.string(),
  dist: text,
  ok: z.boolean().describe("nothing waits for a source map"),
  wantedCount: z.int().describe("`wanted` has the first 50, those of most events"),
  wanted: z.array(
    z.object({
      type: z.enum(["source_map", "proguard_mapping"]),
      debugId: debugId.nullable(),
      releases: z.array(z.object({ version: text, dist: text })),
      events: z.int(),
      issues: z.array(z.string()).describe("short ids, at most five"),
      issueCount: z.int(),
      firstSeen: instant,
      lastSeen: instant,
      sampleUrl: z.string(),
      uploaded: z.boolean(),
      text: z.string(),
      fixes,
    }),
  ),
  uploads: z.array(
    z.object({
      id,
      dateUploaded: instant,
      uploadedBy: text,
      files: z.int(),
      bytes: z.int(),
      releases: z.array(releaseOfUpload),
    }),
  ),
});

export const buildCheckAnswer = z.object({
  ok: z.boolean().describe("every one was found, or needs no map"),
  detail: z.string(),
  release: text,
  debugIds: z.array(
    z.object({
      debugId,
      state: z
        .enum(["found", "skipped", "missing", "mismatch", "timed_out"])
        .describe("`skipped`: a script that names no map and came with those of others, like a bundler's runtime"),
      text: z.string(),
      url: text.describe("of the file that answers"),
      dateUploaded: instant.nullable(),
    }),
  ),
  fixes,
});
