import type { SavedView, ViewedList } from "../../domain/saved-view.ts";
import type { Scope } from "../../domain/scope.ts";

export interface NewSavedView extends Pick<SavedView, "list" | "name" | "query" | "isShared"> {
  /** Projects that it names; others than those of the scope are left out. */
  projectIds: readonly number[];
  /** Place in the list. Absent: behind all others. */
  place?: number;
}

/** Views of lists. One that names a project outside of the scope does not exist; one of somebody else can be used and not changed. */
export interface SavedViewStore {
  /** A person's own views by list and place, then those that others share, by list and name; at most 500. */
  listViews(scope: Scope, userId: number): Promise<SavedView[]>;
  /** Creates a view, and returns its id. A person has at most `MAX_VIEWS`, and each name once per list. */
  createView(
    scope: Scope,
    userId: number,
    view: NewSavedView,
  ): Promise<{ ok: true; id: number } | { ok: false; reason: "too-many" | "name-taken" }>;
  /** Absent fields stay. */
  changeView(
    scope: Scope,
    userId: number,
    viewId: number,
    change: Partial<Pick<SavedView, "name" | "isShared">>,
  ): Promise<"changed" | "not-found" | "name-taken">;
  /** Swaps the view with the person's view before (-1) or behind (1) it in the list. False if there is none. */
  moveView(scope: Scope, userId: number, viewId: number, by: -1 | 1): Promise<boolean>;
  /** `defaultOf`: others whose list began with it. Null where the person has no such view. */
  deleteView(scope: Scope, userId: number, viewId: number): Promise<{ defaultOf: number[] } | null>;
  /** Sets the view with which the person's list opens. Null: the list opens as usual. False if the list has no such view. */
  setDefaultView(scope: Scope, userId: number, list: ViewedList, viewId: number | null): Promise<boolean>;
  /** The lists of these people open with the person's shared view again, unless they have set another one meanwhile. */
  restoreDefaults(scope: Scope, userId: number, viewId: number, defaultOf: readonly number[]): Promise<void>;
}
