import type { AlertSilence, SilenceDraft } from "../../domain/alerts/silence.ts";
import type { Scope } from "../../domain/scope.ts";

/** A silence with how much it held back, over the projects of the scope. */
export interface ListedSilence extends AlertSilence {
  held: number;
}

/**
 * Silences as people see and change them. A scope has those of its projects and of rules that cover one, and those that cover all projects. Who may
 * change which is asked before: `mayManageSilence`.
 */
export interface SilenceStore {
  /** The present silences, the latest end first, and then those that ended within `SILENCE_KEPT_MS`. At most 2 × `MAX_SILENCES`. */
  listSilences(scope: Scope, now: number): Promise<ListedSilence[]>;
  getSilence(scope: Scope, silenceId: number): Promise<ListedSilence | null>;
  /** Holds at once. Old ones are deleted. `gone`: the rule or the project is not there. */
  createSilence(
    scope: Scope,
    draft: SilenceDraft,
    at: number,
  ): Promise<{ ok: true; silence: AlertSilence } | { ok: false; reason: "full" | "gone" }>;
  /** Changes the end of a silence: to now to end it, to a later time to undo that. Null: there is none. */
  moveSilenceEnd(scope: Scope, silenceId: number, endsAt: number): Promise<AlertSilence | null>;
}
