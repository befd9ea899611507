import { z } from "zod";

/** Everything that watches a team's projects, as one file. It has the names of projects, people, teams and channels, and no ids of this server. */
export const WATCH_FILE_FORMAT = "culprit-watch";
export const WATCH_FILE_VERSION = 1;
export const MAX_WATCH_FILE_BYTES = 2_000_000;
const MAX_ENTRIES = 1_000;
/** Each project may have a thousand crons. */
const MAX_CRONS = 10_000;

const name = z.string().max(1_000);
const project = z.string().max(200);
const receiver = z.strictObject({
  kind: z.string().max(40),
  /** The slug of a team, the address of a person, or the name of a channel. */
  name: name.optional(),
  /** Another channel or thread in the same chat. */
  place: z.string().max(100).optional(),
});

const rule = z.strictObject({
  name,
  /** Null: all projects, including later ones. */
  projects: z.array(project).max(1_000).nullable(),
  triggers: z
    .array(z.strictObject({ kind: z.string().max(40), count: z.number().optional(), minutes: z.number().optional() }))
    .max(20),
  match: z.string().max(10),
  conditions: z.array(z.string().max(2_000)).max(20),
  actions: z.array(receiver).max(50),
  /** Absent in older files, from before there were steps. */
  steps: z
    .array(z.strictObject({ afterMinutes: z.number(), actions: z.array(receiver).max(50) }))
    .max(20)
    .default([]),
  frequencyMinutes: z.number(),
  isEnabled: z.boolean(),
});

const metric = z.strictObject({
  project,
  name,
  dataset: z.string().max(40),
  figure: z.string().max(100),
  query: z.string().max(2_000),
  environment: z.string().max(200).nullable(),
  windowMinutes: z.number(),
  comparison: z.string().max(20),
  direction: z.string().max(20),
  /** Null: the lines come from the project's goal. */
  critical: z.number().nullable(),
  warning: z.number().nullable(),
  recovery: z.number().nullable(),
});

const cron = z.strictObject({
  project,
  slug: z.string().max(200),
  name: name.nullable(),
  config: z.record(z.string(), z.unknown()),
});

/** The fields of the form, which have all settings. */
const uptime = z.strictObject({
  project,
  name,
  address: z.string().max(3_000),
  method: z.string().max(10),
  headers: z.string().max(50_000),
  body: z.string().max(20_000),
  interval: z.string().max(10),
  timeout: z.string().max(10),
  assertions: z.string().max(20_000),
  certificate: z.string().max(10),
  environment: z.string().max(200),
  /** Absent in older files, from before there were locations. */
  places: z.string().max(1_000).default("here"),
  downAt: z.string().max(10).default("most"),
});

export const watchFile = z.strictObject({
  format: z.literal(WATCH_FILE_FORMAT, { error: `Must be ${WATCH_FILE_FORMAT}: this is another kind of file` }),
  version: z.literal(WATCH_FILE_VERSION, {
    error: ({ input }) =>
      typeof input === "number" && input > WATCH_FILE_VERSION
        ? `A newer Culprit wrote this file, in version ${input}. This one reads version ${WATCH_FILE_VERSION}`
        : `Must be ${WATCH_FILE_VERSION}`,
  }),
  rules: z.array(rule).max(MAX_ENTRIES).default([]),
  metrics: z.array(metric).max(MAX_ENTRIES).default([]),
  crons: z.array(cron).max(MAX_CRONS).default([]),
  uptime: z.array(uptime).max(MAX_ENTRIES).default([]),
});

export type WatchFile = z.output<typeof watchFile>;
export type WatchKind = "rules" | "metrics" | "crons" | "uptime";
export type FileRule = WatchFile["rules"][number];
export type FileMetric = WatchFile["metrics"][number];
export type FileCron = WatchFile["crons"][number];
export type FileUptime = WatchFile["uptime"][number];

/** What an entry of the file would do, or has done. */
export interface WatchChange {
  kind: WatchKind;
  /** Its place in the list of its kind, from 0. */
  index: number;
  name: string;
  /** For a rule: its projects, or `all projects`. */
  project: string;
  action: "create" | "change" | "same" | "refused";
  /** Why the entry is refused, or which fields differ. */
  message: string | null;
}

export type ReadWatchFile = { ok: true; file: WatchFile } | { ok: false; message: string };

/** Reads the text of a file. `message` names the wrong place. */
export function readWatchFile(text: string): ReadWatchFile {
  if (text.trim() === "") return { ok: false, message: "Choose a file, or paste its text." };
  if (text.length > MAX_WATCH_FILE_BYTES) return { ok: false, message: "The file has more than 2 MB." };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `This is no JSON: ${error instanceof Error ? error.message : "it cannot be read"}.` };
  }
  const parsed = watchFile.safeParse(value);
  if (parsed.success) return { ok: true, file: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("") ?? "";
  return { ok: false, message: `${path.replace(/^\./, "") || "The file"}: ${issue?.message ?? "cannot be read"}.` };
}

/** The names of the fields that differ. */
export function listDifferences(before: object, after: object): string[] {
  const one = before as Record<string, unknown>;
  const other = after as Record<string, unknown>;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => JSON.stringify(one[key] ?? null) !== JSON.stringify(other[key] ?? null),
  );
}
