import type { Workspace } from "../../access/workspace.ts";
import type { ImportedCodeowners } from "../../domain/ownership/import-codeowners.ts";
import type { Project } from "../../domain/project.ts";
import { readIntent } from "../input/read-intent.ts";
import { changeOwnership, importOwners } from "./change-ownership.server.ts";
import { type TriedEvent, tryOwnership } from "./try-ownership.server.ts";

export type OwnersResult =
  | {
      ok: true;
      message: string | null;
      tried: TriedEvent[] | null;
      passedOver: ImportedCodeowners["passedOver"] | null;
    }
  | { ok: false; status: 400 | 404; field: string | null; message: string };

/** The most lines of a file that are listed as not imported. */
const MAX_LISTED = 20;

/** Handles the form of a project's page *Owners*: `save`, `try` or `import`. */
export async function changeOwnersByForm(
  workspace: Workspace,
  project: Pick<Project, "id" | "sourceLinks">,
  form: FormData,
): Promise<OwnersResult> {
  const pressed = readIntent(form, ["save", "try", "import"]);
  if (!pressed.ok) return pressed;
  const text = String(form.get("text") ?? "").replaceAll("\r\n", "\n");
  if (pressed.intent === "try") {
    const tried = await tryOwnership(workspace, project, { text, event: String(form.get("event") ?? "") });
    return tried.ok ? { ok: true, message: null, tried: tried.events, passedOver: null } : tried;
  }
  if (pressed.intent === "import") {
    const result = await importOwners(workspace, project, String(form.get("codeowners") ?? ""));
    if (!result.ok) return result;
    const { lines, passedOver } = result.imported;
    const message = `${lines.length === 1 ? "1 rule" : `${lines.length} rules`} imported. Those of an earlier import are gone.`;
    return { ok: true, message, tried: null, passedOver: passedOver.slice(0, MAX_LISTED) };
  }
  const isAssigning = form.get("assigning") === "on";
  const saved = await changeOwnership(workspace, project, { text, isAssigning });
  if (!saved.ok) return saved;
  const message = isAssigning
    ? "Rules saved. They assign new issues, and issues that come back, from now on."
    : "Rules saved. They only suggest until you let them assign.";
  return { ok: true, message, tried: null, passedOver: null };
}
