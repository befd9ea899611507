import type { Workspace } from "../../access/workspace.ts";
import { SNOOZE_CHOICES, SNOOZE_FIELDS } from "../../domain/issues/snooze.ts";
import { changeReader, READER_CHANGES, restoreReading, sayReading } from "./change-reader.server.ts";
import type { IssueFilters } from "./issue-filters.ts";
import { parsePreviousReading, serializePreviousReading } from "./previous-reading.ts";
import { parsePreviousSnoozes, serializePreviousSnoozes } from "./previous-snoozes.ts";
import { readListedIssues } from "./read-listed-issues.server.ts";
import { readSnoozeForm } from "./read-snooze-form.ts";
import { restoreSnoozes, snoozeIssues } from "./snooze-issues.server.ts";

/** The list's answer. `undo`: the text for an undo form. Null if nothing changed, or if the text would be too long for a form. */
export type ListedReadingAnswer =
  | { ok: true; kind: "snoozed"; count: number; until: number; undo: string | null }
  | { ok: true; kind: "reading"; message: string; undo: string | null }
  | { ok: true; kind: "undo"; count: number }
  | { ok: false; message: string };

const INTENTS = [
  ...SNOOZE_CHOICES.map(({ name }) => `snooze-${name}`),
  "snooze-until",
  ...Object.keys(READER_CHANGES),
  "undo",
];

/**
 * Changes what concerns only the reader, for several issues. It needs no right but to see them. `intent` is one of INTENTS, for the
 * issues of `readListedIssues`. `snooze-until` takes the fields of `readSnoozeForm`. `undo` takes `previous`, the `undo` of an
 * earlier answer.
 */
export async function changeListedReading(
  workspace: Workspace,
  { form, filters, now }: { form: FormData; filters: IssueFilters; now: number },
): Promise<ListedReadingAnswer> {
  const intent = String(form.get("intent"));
  if (intent === "undo") return await undo(workspace, { previous: form.get("previous"), now });
  if (!INTENTS.includes(intent)) return { ok: false, message: `intent: Must be one of ${INTENTS.join(", ")}.` };
  const listed = await readListedIssues(workspace, { form, filters, now });
  if (!listed.ok) return listed;
  const { issues } = listed;
  const reading = Object.hasOwn(READER_CHANGES, intent) ? READER_CHANGES[intent] : undefined;
  if (reading) {
    const previous = (await changeReader(workspace, { issues, ...reading, now })) ?? [];
    const message = sayReading(reading, previous.length);
    return { ok: true, kind: "reading", message, undo: serializePreviousReading(previous) };
  }
  const snooze = readSnoozeForm(toSnoozeFields(form, intent), now);
  if (!snooze.ok) return snooze;
  const previous = await snoozeIssues(workspace, { issues, until: snooze.until, now });
  return {
    ok: true,
    kind: "snoozed",
    count: previous.length,
    until: snooze.until,
    undo: serializePreviousSnoozes(previous),
  };
}

function toSnoozeFields(form: FormData, intent: string): FormData {
  const fields = new FormData();
  if (intent === "snooze-until") for (const field of SNOOZE_FIELDS) fields.set(field, String(form.get(field) ?? ""));
  else fields.set("for", intent.replace(/^snooze-/, ""));
  return fields;
}

async function undo(
  workspace: Workspace,
  { previous, now }: { previous: unknown; now: number },
): Promise<ListedReadingAnswer> {
  const snoozes = parsePreviousSnoozes(previous);
  const readings = parsePreviousReading(previous);
  if (snoozes) await restoreSnoozes(workspace, { previous: snoozes, now });
  else if (readings) await restoreReading(workspace, { previous: readings, now });
  const restored = snoozes ?? readings;
  return restored
    ? { ok: true, kind: "undo", count: restored.length }
    : { ok: false, message: "There is nothing to undo." };
}
