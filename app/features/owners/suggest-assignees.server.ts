import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { type Assignee, toAssigneeText } from "../../domain/issues/triage.ts";
import { MAX_SUGGESTED, type SuggestedOwner, saySuggestion } from "../../domain/ownership/suggested-owner.ts";
import { suggestOwners } from "../../ownership/suggest-owners.ts";

/** A suggestion for a menu of assignees, with its reason. */
export interface SuggestedAssignee {
  assignee: Assignee;
  why: string;
}

/**
 * People and teams who could work on these issues. For one issue, its latest event is read now. For several, the stored suggestions are
 * used, and those for most of the issues come first.
 */
export async function suggestAssignees(workspace: Workspace, issues: readonly Issue[]): Promise<SuggestedAssignee[]> {
  const [only, ...others] = issues;
  if (only === undefined) return [];
  if (others.length === 0)
    return (await suggestOwners(workspace, only)).map(({ assignee, reasons }) => ({
      assignee,
      why: reasons.map(saySuggestion).join("; "),
    }));
  const found = await workspace.state.suggestions.listSuggestions(
    workspace.scope,
    issues.map(({ id }) => id),
  );
  return joinSuggestions([...found.values()], issues.length);
}

/** The most reasons beside a name. Each may be a rule of several lines. */
const MAX_REASONS = 3;

/** Joins the suggestions of several issues. Those for most issues come first. */
export function joinSuggestions(
  found: ReadonlyArray<readonly SuggestedOwner[]>,
  issueCount: number,
): SuggestedAssignee[] {
  const byAssignee = Map.groupBy(found.flat(), ({ assignee }) => toAssigneeText(assignee));
  return [...byAssignee.values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_SUGGESTED)
    .flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const of = same.length === issueCount ? `all ${issueCount}` : `${same.length} of ${issueCount}`;
      return [{ assignee: first.assignee, why: `for ${of} issues: ${sayReasons(same)}` }];
    });
}

/** The strongest reason of each issue in words. A reason that several issues share appears once. */
function sayReasons(suggested: readonly SuggestedOwner[]): string {
  const reasons = [...new Set(suggested.map(({ reasons: [strongest] }) => saySuggestion(strongest)))];
  const others = reasons.length - MAX_REASONS;
  const named = reasons.slice(0, MAX_REASONS).join("; ");
  return others > 0 ? `${named}; and ${others === 1 ? "another reason" : `${others} other reasons`}` : named;
}
