import type { Workspace } from "../../access/workspace.ts";
import { MAX_RULES_CHARS } from "../../domain/grouping-rules/rule-limits.ts";
import { type ImportedCodeowners, importCodeowners, joinCodeowners } from "../../domain/ownership/import-codeowners.ts";
import { readOwnershipRules } from "../../domain/ownership/ownership-rules.ts";
import type { OwnershipSettings } from "../../domain/ownership/ownership-settings.ts";
import type { Project } from "../../domain/project.ts";

export type OwnershipResult =
  | { ok: true; ownership: OwnershipSettings }
  | { ok: false; status: 400 | 404; field: "text" | "codeowners" | null; message: string };

/** Changes the fields that are given. The others stay. */
export async function changeOwnership(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  { id }: Pick<Project, "id">,
  change: Partial<OwnershipSettings>,
): Promise<OwnershipResult> {
  const rules = await state.rules.getRules(scope, id);
  if (rules === null) return { ok: false, status: 404, field: null, message: "This project does not exist any more." };
  if (change.text !== undefined) {
    const read = readOwnershipRules(change.text);
    if (!read.ok) {
      const { line, column, message } = read.problem;
      return { ok: false, status: 400, field: "text", message: `Line ${line}, character ${column}: ${message}` };
    }
  }
  const ownership = { ...rules.ownership, ...change };
  await state.rules.saveRules(scope, id, "ownership", ownership);
  return { ok: true, ownership };
}

/** The longest file. 32 KB have some 500 lines. */
const MAX_IMPORT_CHARS = 4 * MAX_RULES_CHARS;

/** Replaces the rules of an earlier import by those of a CODEOWNERS file. */
export async function importOwners(
  workspace: Pick<Workspace, "state" | "scope">,
  project: Pick<Project, "id">,
  file: string,
): Promise<(OwnershipResult & { ok: false }) | { ok: true; imported: ImportedCodeowners }> {
  const refuse = (message: string) => ({ ok: false, status: 400, field: "codeowners", message }) as const;
  if (file.length > MAX_IMPORT_CHARS)
    return refuse(`The file has ${file.length} characters. At most ${MAX_IMPORT_CHARS} are allowed.`);
  const imported = importCodeowners(file);
  if (imported.lines.length === 0) return refuse("No line of it names a pattern and owners that can be rules.");
  const rules = await workspace.state.rules.getRules(workspace.scope, project.id);
  const text = joinCodeowners(rules?.ownership.text ?? "", imported.lines);
  const saved = await changeOwnership(workspace, project, { text });
  if (saved.ok) return { ok: true, imported };
  return saved.status === 404 ? saved : refuse(`With its rules the text cannot be saved. ${saved.message}`);
}
