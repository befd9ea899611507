import { type Assignee, isSameAssignee } from "../issues/triage.ts";

/** Why somebody is suggested for an issue. */
export type SuggestionReason =
  | { kind: "rule"; rule: string; isCodeowners: boolean; at: number }
  | { kind: "commit"; commitId: string; path: string; at: number }
  | { kind: "comment"; at: number };

/** A member or a team who sees the project, with every reason, the strongest first. */
export interface SuggestedOwner {
  assignee: Assignee;
  reasons: readonly [SuggestionReason, ...SuggestionReason[]];
}

/** A person chooses from a few. */
export const MAX_SUGGESTED = 5;

/** Suggested owners without repeats, the strongest reason first: a rule, then a commit, then the last comment. */
export function rankSuggestions(
  found: ReadonlyArray<{ assignee: Assignee; reason: SuggestionReason }>,
): SuggestedOwner[] {
  const suggested: SuggestedOwner[] = [];
  for (const kind of ["rule", "commit", "comment"] as const) {
    for (const { assignee, reason } of found) {
      if (reason.kind !== kind) continue;
      const at = suggested.findIndex((each) => isSameAssignee(each.assignee, assignee));
      const known = suggested[at];
      if (!known) suggested.push({ assignee, reasons: [reason] });
      // One reason of each kind is enough for a person.
      else if (!known.reasons.some((each) => each.kind === kind))
        suggested[at] = { assignee, reasons: [...known.reasons, reason] };
    }
  }
  return suggested.slice(0, MAX_SUGGESTED);
}

export function saySuggestion(reason: SuggestionReason): string {
  switch (reason.kind) {
    case "rule":
      return `owns it by the rule ${reason.rule}`;
    case "commit":
      return `changed ${reason.path} in ${reason.commitId.slice(0, 7)}`;
    case "comment":
      return "wrote the last comment";
  }
}
