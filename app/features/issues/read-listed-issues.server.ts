import type { Workspace } from "../../access/workspace.ts";
import type { IssueFilter } from "./change-issues.server.ts";
import type { IssueFilters } from "./issue-filters.ts";
import { findFilter } from "./list-issues.server.ts";

/** The highest number of issues that a form may name. A page has 25. */
const MAX_NAMED = 200;

/** The issues that a form of the list is about: `issue` (repeated), or `scope=all-matching` for all that `filters` find. */
export async function readListedIssues(
  workspace: Workspace,
  { form, filters, now }: { form: FormData; filters: IssueFilters; now: number },
): Promise<{ ok: true; issues: number[] | IssueFilter } | { ok: false; message: string }> {
  if (form.get("scope") === "all-matching") {
    const matching = await findFilter(workspace, { filters, now });
    return matching.ok ? { ok: true, issues: matching.filter } : matching;
  }
  const issues = form.getAll("issue").map(Number);
  if (issues.length === 0) return { ok: false, message: "Select the issues first." };
  if (issues.length > MAX_NAMED) return { ok: false, message: `Name at most ${MAX_NAMED} issues at once.` };
  if (!issues.every((id) => Number.isSafeInteger(id) && id > 0))
    return { ok: false, message: "issue: Must be a positive whole number." };
  return { ok: true, issues };
}
