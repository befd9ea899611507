import type { Workspace } from "../../access/workspace.ts";
import { readIntent } from "../input/read-intent.ts";
import { importWatchFile } from "./import-watch-file.server.ts";
import { MAX_WATCH_FILE_BYTES, readWatchFile, type WatchChange } from "./watch-file.ts";

export type SubmittedWatchFile =
  /** `text`: the text of the file, with which it can be applied after the preview. */
  { ok: true; isApplied: boolean; changes: WatchChange[]; text: string } | { ok: false; status: 400; message: string };

/** Handles the form of the file: it previews the changes or makes them. */
export async function submitWatchFile(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<SubmittedWatchFile> {
  const pressed = readIntent(form, ["preview", "apply"]);
  if (!pressed.ok) return pressed;
  const text = await readText(form);
  const read = readWatchFile(text);
  if (!read.ok) return { ok: false, status: 400, message: read.message };
  const isApplied = pressed.intent === "apply";
  return { ok: true, isApplied, text, changes: await importWatchFile(workspace, { file: read.file, isApplied, now }) };
}

/** The text of the field, or of the chosen file. */
async function readText(form: FormData): Promise<string> {
  const chosen = form.get("file");
  if (chosen instanceof File && chosen.size > 0)
    return chosen.size > MAX_WATCH_FILE_BYTES ? "x".repeat(MAX_WATCH_FILE_BYTES + 1) : chosen.text();
  return String(form.get("text") ?? "");
}
