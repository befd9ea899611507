import type { SuggestedOwner } from "../../domain/ownership/suggested-owner.ts";
import type { Scope } from "../../domain/scope.ts";

/** The people who could work on issues, as found when each issue was last checked. */
export interface SuggestionStore {
  /**
   * The strongest reason first. Issues without any are not in it. People who no longer see the project of an issue are left out.
   */
  listSuggestions(scope: Scope, issueIds: readonly number[]): Promise<Map<number, SuggestedOwner[]>>;
}

/** The work of the job that checks issues for suggestions. */
export interface SuggestionWork {
  /**
   * Issues to look at. First come those about which somebody has said something since, and those whose project has other ownership rules.
   * Then come unresolved ones among the `WATCHED_ISSUES` that were seen last: those that were never looked at, and those that were seen
   * since a look that is `LOOK_AGAIN_MS` ago.
   */
  listDue(options: { now: number; limit: number }): Promise<Array<{ issueId: number; projectId: number }>>;
  /** Whether an event of the project can name anybody: it has ownership rules, or some release has commits that name their files. */
  mayNameOwners(projectId: number): Promise<boolean>;
  /** Replaces the suggestions of these issues. */
  saveSuggestions(
    found: ReadonlyArray<{ issueId: number; suggested: readonly SuggestedOwner[] }>,
    at: number,
  ): Promise<void>;
}

export const WATCHED_ISSUES = 5_000;
/** Commits and members change without a word to the issue. */
export const LOOK_AGAIN_MS = 3_600_000;
/** Issues of a project that are looked at again after its rules have changed: those seen last. */
export const RULED_ISSUES = 1_000;
