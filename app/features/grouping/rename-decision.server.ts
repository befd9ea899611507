import type { Workspace } from "../../access/workspace.ts";
import { MAX_DECISION_NAME_CHARS } from "../../domain/grouping-rules/rule-limits.ts";

/** Gives a merge or a split another name. */
export async function renameDecision(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  { kind, id, name }: { kind: "merge" | "split"; id: number; name: string },
): Promise<{ ok: true; name: string } | { ok: false; status: 400 | 404; message: string }> {
  const chosen = name.replace(/\s+/g, " ").trim();
  if (chosen === "") return { ok: false, status: 400, message: "name: it must not be empty." };
  if (chosen.length > MAX_DECISION_NAME_CHARS)
    return {
      ok: false,
      status: 400,
      message: `name: it has ${chosen.length} characters. At most ${MAX_DECISION_NAME_CHARS} are allowed.`,
    };
  const isRenamed =
    kind === "merge"
      ? await state.issueMerges.renameMerge(scope, { mergeId: id, name: chosen })
      : await state.issueSplits.renameSplit(scope, { splitId: id, name: chosen });
  return isRenamed
    ? { ok: true, name: chosen }
    : { ok: false, status: 404, message: `This ${kind} does not exist any more.` };
}
